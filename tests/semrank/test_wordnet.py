"""The standard database files of WordNet are read as they are."""

import pytest

from fcacrawler.semrank.lexical import LexicalSimilarity, Taxonomy
from fcacrawler.semrank.wordnet import noun_forms, read_wordnet

LICENCE = "  1 This software and database is being provided to you  \n"
DATA = [
    LICENCE,
    "00000100 03 n 01 being 0 002 ~ 00000200 n 0000 ~ 00000300 n 0000 | what is  \n",
    "00000200 05 n 02 race_driver 0 racer 0 003 @ 00000100 n 0000 + 00000900 v 0101 ;c 00000100 n 0000 | drives  \n",
    '00000300 05 n 01 Senna 0 002 @i 00000200 n 0000 @ 00000400 a 0000 | a driver; or "a | tree"  \n',
]
INDEX = [
    LICENCE,
    "being n 1 1 ~ 1 1 00000100  \n",
    "race_driver n 1 2 @ + 1 0 00000200  \n",
    "racer n 2 2 @ + 2 1 00000200 00000100  \n",
    "senna n 1 1 @i 1 0 00000300  \n",
]
COUNTS = ["racer%1:05:00:: 2 7\n", "racer%1:05:00:: 1 3\n", "race%2:38:00:: 1 20\n", "a.m.%1:28:00:: 1 1\n"]


def test_synsets_hypernyms_senses_and_counts() -> None:
    assert read_wordnet(DATA, INDEX, COUNTS) == Taxonomy(
        {"00000100": [], "00000200": ["00000100"], "00000300": ["00000200"]},
        {
            "being": ["00000100"],
            "race driver": ["00000200"],
            "racer": ["00000200", "00000100"],
            "senna": ["00000300"],
        },
        {"00000100": 7, "00000200": 3},
    )


@pytest.mark.parametrize(
    ("data", "index", "counts", "said"),
    [
        ([*DATA, "not a synset\n"], INDEX, [], "data.noun, line 5: not a synset: 'not a synset"),
        (DATA, [*INDEX, "racer v 1 1 @ 1 0 00000200\n"], [], "index.noun, line 6: not a noun's entry"),
        (DATA, INDEX, ["racer 3 7\n"], "cntlist.rev, line 1: not the count of a sense: 'racer 3 7"),
        (DATA, ["bee n 1 0 1 0 00000500\n"], [], "'00000500', meant by 'bee', is no class"),
    ],
)
def test_what_is_not_of_the_format_is_refused_by_file_and_line(data, index, counts, said) -> None:
    with pytest.raises(ValueError, match=said):
        read_wordnet(data, index, counts)


def test_words_are_found_by_their_forms() -> None:
    similarity = LexicalSimilarity(read_wordnet(DATA, INDEX), forms=noun_forms)
    assert similarity.matrix(["Race Drivers"], ["racer", "engine"]).tolist() == [[1.0, 0.0]]
