"""Print a completion script for a shell, made from the commands and options as
they are.

to use it:
  bash  eval "$(ifbench-tui completion bash)"
  zsh   eval "$(ifbench-tui completion zsh)"
  fish  ifbench-tui completion fish | source"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from ifbench_tui.cli._commands import PROGRAM, command_names, load_command, parser_for

SUMMARY = "print a completion script for bash, zsh or fish"


@dataclass(frozen=True, slots=True)
class _Command:
    """What a shell needs to know of one command."""

    name: str
    summary: str
    options: tuple[argparse.Action, ...]
    values: tuple[str, ...]

    @property
    def words(self) -> str:
        """All options, and the fixed values of positional arguments."""
        options = [word for one in self.options for word in one.option_strings]
        return " ".join([*options, *self.values])

    @property
    def choices(self) -> Iterator[tuple[str, str]]:
        """Each option with fixed values, and these values."""
        for one in self.options:
            for word in one.option_strings if one.choices else ():
                yield word, " ".join(map(str, one.choices or ()))


def _commands() -> list[_Command]:
    found = []
    for name in command_names():
        actions = parser_for(name)._actions
        options = tuple(one for one in actions if one.option_strings)
        values = tuple(
            str(value) for one in actions if not one.option_strings for value in one.choices or ()
        )
        found.append(_Command(name, load_command(name).SUMMARY, options, values))
    return found


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "") + "'"


def _bash() -> Iterator[str]:
    commands = _commands()
    names = " ".join(command.name for command in commands)
    yield f"""\
_ifbench_tui() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then words="{names} --help --version"; else
  case "${{COMP_WORDS[1]}} $prev" in
"""
    for command in commands:
        for option, values in command.choices:
            yield f'  "{command.name} {option}") words="{values}" ;;\n'
        yield f'  "{command.name} "*) words="{command.words}" ;;\n'
    yield f"""\
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o bashdefault -o default -F _ifbench_tui {PROGRAM}
"""


def _zsh() -> Iterator[str]:
    yield f"#compdef {PROGRAM}\n_ifbench_tui() {{\n  local -a commands\n  commands=(\n"
    commands = _commands()
    for command in commands:
        yield f"    {_quoted(f'{command.name}:{command.summary}')}\n"
    yield """\
  )
  if (( CURRENT == 2 )); then _describe command commands; _files; return; fi
  case "$words[2] $words[CURRENT-1]" in
"""
    for command in commands:
        for option, values in command.choices:
            yield f"  {_quoted(f'{command.name} {option}')}) compadd -- {values}; return ;;\n"
        yield f"  {_quoted(command.name + ' ')}*) compadd -- {command.words} ;;\n"
    yield f"  esac\n  _files\n}}\ncompdef _ifbench_tui {PROGRAM}\n"


def _fish() -> Iterator[str]:
    start = f"complete -c {PROGRAM} -n"
    for command in _commands():
        summary = _quoted(command.summary)
        yield f"{start} __fish_use_subcommand -a {command.name} -d {summary}\n"
        inside = f"{start} '__fish_seen_subcommand_from {command.name}'"
        if command.values:
            yield f"{inside} -f -a {_quoted(' '.join(command.values))}\n"
        for option in command.options:
            yield inside + _fish_option(option) + "\n"


def _fish_option(option: argparse.Action) -> str:
    words = [
        f" -l {word[2:]}" if word.startswith("--") else f" -s {word[1:]}"
        for word in option.option_strings
    ]
    values = f" -x -a {_quoted(' '.join(map(str, option.choices)))}" if option.choices else ""
    takes = " -r" if option.nargs != 0 and not values else ""
    return f"{''.join(words)}{values}{takes} -d {_quoted(option.help or '')}"


_WRITERS = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(_WRITERS))


def run(args: argparse.Namespace) -> int:
    from ifbench_tui.cli._output import emit

    emit(_WRITERS[args.shell]())
    return 0
