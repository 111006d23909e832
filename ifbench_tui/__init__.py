"""Audit instruction-following verdicts, vote blind, rate live: one core, two front doors."""

__version__ = "0.1.0"
