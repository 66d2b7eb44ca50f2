"""``fcacrawler completion bash|zsh|fish``: what a shell completes, made from the commands and their options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from scrapy import cmdline
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import SpiderLoader

from fcacrawler.app.config import declared
from fcacrawler.commands import OurCommand, plainly

BASH = """\
_fcacrawler() {
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} known=
    case $before in
        -a) known='{arguments}'; compopt -o nospace;;
        -s) known='{settings}'; compopt -o nospace;;
        *) if [ "$COMP_CWORD" = 1 ]; then known='{commands}'; else
            case ${{COMP_WORDS[1]}} in
{cases}
            esac
        fi;;
    esac
    COMPREPLY=($(compgen -W "$known" -- "$word"))
}
complete -o default -F _fcacrawler fcacrawler
"""
ZSH = """\
#compdef fcacrawler
_fcacrawler() {
    local known=
    case $words[CURRENT-1] in
        -a) compadd -S '' -- {arguments}; return;;
        -s) compadd -S '' -- {settings}; return;;
    esac
    if (( CURRENT == 2 )); then known='{commands}'; else
        case $words[2] in
{cases}
        esac
    fi
    compadd -- ${{=known}}
    _files
}
compdef _fcacrawler fcacrawler
"""


class Known(NamedTuple):
    """A command, and what may follow it."""

    name: str
    about: str
    options: tuple[tuple[str, str], ...]  # with what each means
    words: tuple[str, ...]


class Command(OurCommand, ScrapyCommand):
    requires_project = False
    requires_crawler_process = False
    takes = "bash|zsh|fish"
    does = 'Print what completes commands and options: eval "$(fcacrawler completion bash)"'

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or args[0] not in SHELLS:
            raise UsageError(
                f'name your shell, as in: eval "$(fcacrawler completion bash)"; known: {", ".join(SHELLS)}'
            )
        assert self.settings is not None
        found = [_known(name, command) for name, command in sorted(_commands(self).items())]
        print(SHELLS[args[0]](found, SpiderLoader.from_settings(self.settings).list()), end="")


def _commands(asked: ScrapyCommand) -> dict[str, ScrapyCommand]:
    assert asked.settings is not None
    found: dict[str, ScrapyCommand] = cmdline._get_commands_dict(asked.settings, True)
    for command in found.values():
        command.settings = asked.settings
    return found


def _known(name: str, command: ScrapyCommand) -> Known:
    parser = argparse.ArgumentParser(add_help=False, conflict_handler="resolve")
    command.add_options(parser)
    options = tuple(
        (flag, (action.help or "").split(" (")[0].split(": ")[0])
        for action in parser._actions
        if action.help != argparse.SUPPRESS
        for flag in action.option_strings
    )
    words = re.findall(r"[a-z]+(?=\|)|(?<=\|)[a-z]+", command.syntax())
    return Known(name, command.short_desc(), options, tuple(words))


def _cases(found: list[Known], spiders: list[str], indent: str) -> str:
    more = {"crawl": " ".join(spiders)}
    lines = (" ".join([flag for flag, _ in k.options] + [*k.words, more.get(k.name, "")]).strip() for k in found)
    return "\n".join(f"{indent}{k.name}) known='{line}';;" for k, line in zip(found, lines, strict=True))


def _arguments() -> Iterator[str]:
    return (f"{setting.argument}=" for setting in declared() if setting.argument)


def _filled(template: str, found: list[Known], spiders: list[str], indent: str) -> str:
    return (
        template.replace("() {\n", "() {{\n")
        .replace("\n}\n", "\n}}\n")
        .format(
            arguments=" ".join(_arguments()),
            settings=" ".join(f"{setting.name}=" for setting in declared()),
            commands=" ".join(k.name for k in found),
            cases=_cases(found, spiders, indent),
        )
    )


def _bash(found: list[Known], spiders: list[str]) -> str:
    return _filled(BASH, found, spiders, 16 * " ")


def _zsh(found: list[Known], spiders: list[str]) -> str:
    return _filled(ZSH, found, spiders, 12 * " ")


def _fish(found: list[Known], spiders: list[str]) -> str:
    lines = [f"complete -c fcacrawler -n __fish_use_subcommand -fa {k.name} -d {_said(k.about)}" for k in found]
    for k in found:
        here = f"complete -c fcacrawler -n '__fish_seen_subcommand_from {k.name}'"
        words = " ".join([*k.words, *(spiders if k.name == "crawl" else ())])
        lines += [f"{here} -a '{words}'"] * bool(words)
        for flag, about in k.options:
            lines.append(f"{here} {'-l' if flag.startswith('--') else '-s'} {flag.lstrip('-')} -d {_said(about)}")
    arguments, settings = " ".join(_arguments()), " ".join(f"{s.name}=" for s in declared())
    before = "complete -c fcacrawler -n 'test (commandline -poc)[-1] = {}' -fa '{}'"
    return "\n".join([*lines, before.format("-a", arguments), before.format("-s", settings)]) + "\n"


def _said(text: str) -> str:
    r"""As fish reads it.

    >>> _said("the crawl's")
    "'the crawl\\'s'"
    """
    return "'" + " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%") + "'"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
