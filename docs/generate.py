"""Fills the marked blocks of the documentation from the code: ``python docs/generate.py``.

A block of a page stands between ``<!-- generated: NAME ARGUMENTS -->`` and ``<!-- end -->``; what
may stand for NAME is in `blocks.BLOCKS`. With ``--check`` nothing is written: files that would
change are named, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from blocks import BLOCK, BLOCKS, PAGES, ROOT, DocsError


def filled(text: str) -> str:
    """A page with its blocks made anew. Raises `DocsError`."""

    def fill(found: re.Match[str]) -> str:
        name, words = found["name"], found["words"].split()
        if name not in BLOCKS:
            raise DocsError(f"no block is called {name}")
        try:
            body = "\n".join(BLOCKS[name](*words)).strip("\n")
        except KeyError as error:
            raise DocsError(f"{name} {' '.join(words)}: there is no {error}") from error
        return f"<!-- generated: {' '.join((name, *words))} -->\n\n{body}\n\n<!-- end -->"

    return BLOCK.sub(fill, text)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="fill the generated blocks of the documentation")
    parser.add_argument("--check", action="store_true", help="change nothing, name what differs")
    args = parser.parse_args(arguments)
    drifting = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        try:
            made = filled(text)
        except DocsError as error:
            sys.exit(f"{page.relative_to(ROOT)}: {error}")
        if made != text:
            drifting.append(page)
            if not args.check:
                page.write_text(made, encoding="utf-8")
    for page in drifting:
        print(f"{'differs from the code' if args.check else 'wrote'}: {page.relative_to(ROOT)}")
    return 1 if drifting and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
