"""The running example of the papers, typed as printed."""

from fcacrawler.values.omega import Omega, Support

BASE = {"U1": ["Internet", "Spider"], "U2": ["Spider", "Ontology"], "U3": ["Internet", "Spider", "Ontology"]}
CURRENT = {
    "U4": ["Web page", "Information", "Spider"],
    "U5": ["Internet", "Technology", "Network", "Web page", "Spider"],
    "U6": ["Internet", "Technology", "Network", "Web page"],
    "U7": ["Technology", "Network", "Information", "Spider"],
    "U8": ["Technology", "Web page", "Information", "Spider"],
}
LINKS = [("U3", "U5"), ("U1", "U8")]  # Example 19
CLICKS = [("U3", "U4"), ("U3", "U5")]

CLICK_NUMBERS = {  # 2013, Table 3; 2007, Table 2
    "Internet": 3251,
    "Technology": 2458,
    "Web page": 12983,
    "Information": 67856,
    "Spider": 565,
    "Network": 4389,
}
ISA = [("Internet", "Spider"), ("Technology", "Network"), ("Web page", "Information")]
PART_OF = [
    ("Internet", "Technology"),
    ("Internet", "Network"),
    ("Spider", "Information"),
    ("Spider", "Web page"),
]
OMEGA = Omega(CLICK_NUMBERS, dict.fromkeys(ISA, Support()), dict.fromkeys(PART_OF, Support()))
