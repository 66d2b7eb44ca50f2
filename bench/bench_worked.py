"""The papers' worked numbers through the whole engine, from their log and tables, by each reading.

python bench/bench_worked.py [--markdown]
The log of Table 3 is learned from, its Ω makes ∂, ∂ the ics, and these with links and clicks make Sim and SemRank.
A line of JSON for each number beside the printed one; --markdown: the table of docs/results/worked.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from fcacrawler.semrank.context import table
from fcacrawler.semrank.extension import extension_similarity
from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.semrank.ics import LogSimilarity
from fcacrawler.semrank.intension import intension_similarity
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.parameters import NAMED, SEMRANK_2013, SemRankOptions
from fcacrawler.semrank.rank import semrank
from fcacrawler.semrank.similarity import adaptive_w, concept_similarity
from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import LearnOptions, Thresholds, learn, links_in, load_omega
from tests.paper import example
from tests.weblogs.conftest import DEFINITION, words_and_pairs

HOME = Path(__file__).resolve().parents[1]
LOG, LINKS = (HOME / "data/weblogs" / name for name in ("table3.tsv", "table3.links.tsv"))
BASE, CURRENT = (
    {u: [w.lower() for w in words] for u, words in given.items()} for given in (example.BASE, example.CURRENT)
)
QUERY = ["internet", "spider"]
X1, Y1, X5, Y5 = {"U1", "U3"}, QUERY, {"U4", "U5", "U8"}, ["web page", "spider"]  # concepts 1 and 5 of Example 19
MISSED = ("U1", "U8")  # a click of Table 3 that Example 19 leaves out
OTHERWISE: tuple[dict[str, float | str | bool], ...] = (
    {"w": 0.5}, {"w_rule": "adaptive"}, {"sim_ext": "pairs"}, {"sim_int": "larger"}, {"ics_isa": False},
    {"ics_path": "ancestor"}, {"ics_alpha": 0.5}, {"p_top": "min"}, {"p_keyword": "cumulative"},
)  # fmt: skip
PRINTED: Mapping[str, float | None] = {
    "concepts of BL": 4, "concepts of CL": 15, "Σ f": 87_482,
    "ics(Internet, Web page)": 0.8351, "ics(Technology, Network)": 0.7778, "ics(Network, Network)": 1.0,
    "Sim_ext": 0.3333, "Sim_int": 0.91755, "Sim": 0.68385,
    **{f"SemRank({u})": None for u in example.CURRENT},
}  # fmt: skip


def omega_of(groups: str) -> Omega:
    with TemporaryDirectory() as folder:
        out = Path(folder) / "omega.parquet"
        edges = links_in(LINKS, lambda url, body, kind: ())
        options = LearnOptions(groups=groups, memory="500MB")
        learn([LOG], edges, out, words_and_pairs, str, options, Thresholds(**DEFINITION))
        return load_omega(out)


def numbers(omega: Omega, o: SemRankOptions = SEMRANK_2013, missed: bool = False) -> dict[str, float]:
    """What the engine makes of the example, by the names of ``PRINTED``."""
    clicks = [*example.CLICKS, MISSED] if missed else example.CLICKS
    similarity = LogSimilarity(hierarchy(omega, QUERY, o), o)
    found = {
        "concepts of BL": float(len(concepts_of(table(BASE), 100).extents)),
        "concepts of CL": float(len(concepts_of(table(CURRENT), 100).extents)),
        "Σ f": float(sum(omega.clicks.values())),
    }
    for a, b in (("Internet", "Web page"), ("Technology", "Network"), ("Network", "Network")):
        found[f"ics({a}, {b})"] = float(similarity.matrix([a.lower()], [b.lower()])[0, 0])
    ext = extension_similarity(X1, X5, example.LINKS, clicks, o.sim_ext)
    int_ = intension_similarity(Y1, Y5, similarity, o.sim_int)
    w = o.w if o.w_rule == "fixed" else adaptive_w(ext, int_)
    found |= {"Sim_ext": ext, "Sim_int": int_, "Sim": concept_similarity(ext, int_, w)}
    ranks = semrank(BASE, CURRENT, example.LINKS, clicks, similarity, o)
    return found | {f"SemRank({u})": rank for u, rank in ranks.items()}


def readings() -> dict[str, dict[str, float]]:
    grouped = omega_of("given")
    found = {name: numbers(grouped, options) for name, options in NAMED.items()}
    for otherwise in OTHERWISE:
        name = ", ".join(f"{k}={v}" for k, v in otherwise.items())
        found[f"2013, {name}"] = numbers(grouped, SemRankOptions(**otherwise))
    found["2013, with the click U1 → U8"] = numbers(grouped, missed=True)
    found["2013, all users one group"] = numbers(omega_of("one"))
    return found


def markdown(found: Mapping[str, Mapping[str, float]]) -> str:
    """A row for each reading, the printed one first; what hangs on no reading is left out."""
    columns = [c for c in PRINTED if len({row[c] for row in found.values()}) > 1]
    rows = ["| reading | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    for name, row in {"as printed": PRINTED, **found}.items():
        rows.append(f"| {name} | " + " | ".join(shown(row[c]) for c in columns) + " |")
    return "\n".join(rows)


def shown(value: float | None) -> str:
    """
    >>> shown(None), shown(0.0), shown(1.0), shown(1 / 3), shown(0.91755)
    ('–', '0', '1', '.3333', '.91755')
    """
    if value is None:
        return "–"
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return (text if len(text) <= 6 or value in PRINTED.values() else f"{value:.4f}").removeprefix("0") or "0"


def main() -> None:
    found = readings()
    if "--markdown" in sys.argv[1:]:
        print(markdown(found))
        return
    for name, row in found.items():
        for column, printed in PRINTED.items():
            value = row[column]
            figure = {"figure": f"{column}, {name}", "value": round(value, 5), "against": printed}
            print(json.dumps(figure | {"ratio": round(value / printed, 4) if printed else None}, ensure_ascii=False))


if __name__ == "__main__":
    main()
