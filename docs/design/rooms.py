"""Draws rooms.svg: the rooms of the package by the layers of pyproject.toml, with their lines, and the doors between
them; those to values and compiled loops, which most rooms have, are left out. Needs graphviz' dot."""

import ast
import subprocess
import tomllib
from itertools import pairwise
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
PACKAGE = HOME / "fcacrawler"
EVERYBODYS = {"values", "lowlevel", "items"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def doors(path: Path) -> set[str]:
    """The rooms that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fcacrawler"):
            _, _, rest = str(node.module).partition(".")
            found |= {rest.partition(".")[0]} if rest else {alias.name for alias in node.names}
    return found - {""}


def main() -> None:
    contracts = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [[room.strip() for room in layer.split("|")] for layer in contracts[0]["layers"]]
    lines: dict[str, int] = dict.fromkeys((room for layer in layers for room in layer), 0)
    edges = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        room = room_of(path)
        if room in lines:
            lines[room] += path.read_text("utf-8").count("\n")
            edges |= {(room, other) for other in doors(path) if other in {*lines} - EVERYBODYS - {room}}
    drawn = [
        "digraph rooms { rankdir=TB; nodesep=.15; ranksep=.45;",
        'node [shape=box, style="rounded,filled", fillcolor="#f4f4ef", fontname="sans-serif", fontsize=11];',
        'edge [color="#00000022", arrowsize=.4];',
    ]
    for layer in layers:
        rooms = "; ".join(f'"{room}" [label="{room}\\n{lines[room]}"]' for room in layer)
        drawn.append(f"{{ rank=same; {rooms} }}")
    drawn += [f'"{above[0]}" -> "{below[0]}" [style=invis];' for above, below in pairwise(layers)]
    drawn += [f'"{a}" -> "{b}";' for a, b in sorted(edges)] + ["}"]
    out = Path(__file__).with_suffix(".svg")
    subprocess.run(["dot", "-Tsvg", "-o", out], input="\n".join(drawn).encode(), check=True)


if __name__ == "__main__":
    main()
