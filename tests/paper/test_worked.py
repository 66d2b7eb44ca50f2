"""docs/results/worked.md holds what the engine makes of the papers' example today."""

from pathlib import Path

from bench.bench_worked import markdown, readings

PAGE = Path(__file__).parents[2] / "docs/results/worked.md"


def test_the_table_of_the_documents_is_what_the_engine_answers() -> None:
    found = readings()
    assert markdown(found) in PAGE.read_text("utf-8")
    assert {(row["concepts of BL"], row["concepts of CL"], row["Σ f"]) for row in found.values()} == {(4, 18, 91502)}
    assert {row["ics(Network, Network)"] for row in found.values()} == {1.0}
