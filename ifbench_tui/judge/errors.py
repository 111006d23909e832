"""What can go wrong with judging and generating before or beside a single call.

IfbenchError
├── EndpointError      the address, key, certificate or answer of the endpoint is unusable as such
├── TemplateError      a judge template that cannot be used
└── InputError         the files give nothing to judge or to answer
"""

from __future__ import annotations

from ifbench_tui.errors import IfbenchError

__all__ = ["EndpointError", "InputError", "TemplateError"]


class EndpointError(IfbenchError):
    """The endpoint cannot be used. The message never holds the key."""


class TemplateError(IfbenchError):
    """A template that cannot be loaded or filled."""


class InputError(IfbenchError):
    """The files give nothing to judge or to answer."""
