"""ConceptNet's assertions as Ω."""

from fcacrawler.semrank.conceptnet import read_conceptnet
from fcacrawler.values.omega import Omega

LINES = """u /r/Synonym /c/en/automobile /c/en/car
u /r/PartOf /c/en/car /c/en/automobile
u /r/IsA /c/en/racing_car/n /c/en/car/n/wn/artifact
u /r/HasA /c/en/car /c/en/wheel
u /r/PartOf /c/en/wheel /c/en/car
u /r/RelatedTo /c/en/car /c/en/road
u /r/Synonym /c/en/car /c/de/auto
u /r/FormOf /c/en/cars /c/en/cars/n
broken""".splitlines()


def test_kinds_and_parts_lie_below_what_stands_for_another_is_isa_and_isa_wins() -> None:
    omega = read_conceptnet((line.replace(" ", "\t") for line in LINES), "en")
    assert list(omega.isa) == [("automobile", "car")]
    assert {pair: support.pages for pair, support in omega.part_of.items()} == {
        ("car", "racing car"): 1,
        ("car", "wheel"): 2,
    }
    assert omega.clicks == {"automobile": 2, "car": 5, "racing car": 1, "wheel": 2}
    assert read_conceptnet(LINES, "fr") == Omega()
