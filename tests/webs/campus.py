"""A web of universities, whose topics are kinds of pages: courses, faculty, students, projects.

A kind's words say little, since pages of all kinds speak of the same subjects; hosts name their folders each in its own
way; people's links are names. After the four universities of WebKB (*Craven et al. 1998*), made by chance.

Run: python -m tests.webs.campus FOLDER [SEED]; then: scrapy compare FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from random import Random

from wordfreq import top_n_list

from tests.worlds.warcs import write_warc

SUBJECTS = {
    "Operating Systems": "kernel scheduler process thread memory paging driver interrupt file disk cache lock",
    "Artificial Intelligence": "agent search planning reasoning knowledge inference heuristic belief logic learning",
    "Computer Graphics": "rendering polygon shading texture ray surface image animation camera light geometry mesh",
    "Databases": "query relation transaction index join tuple schema recovery storage optimizer view concurrency",
    "Networks": "packet router protocol bandwidth congestion ethernet switch latency socket multicast link traffic",
    "Theory of Computation": "automata grammar complexity reduction proof turing machine bound language theorem",
    "Compilers": "parser token register code optimization syntax type semantics dataflow loop translation runtime",
    "Architecture": "pipeline processor instruction branch cache register simulation memory bus prediction chip",
    "Numerical Analysis": "matrix equation iteration error convergence linear sparse solver interpolation gradient",
    "Parallel Computing": "message processor shared speedup cluster synchronization grid barrier partition scaling",
    "Machine Vision": "image edge camera motion stereo recognition object feature segmentation texture tracking",
    "Software Engineering": "requirement design specification testing module reuse maintenance object debugging",
}
WORDS = {
    "course": "homework assignment lecture syllabus exam midterm grading textbook instructor prerequisite handout "
    "section semester credit solutions quiz final notes schedule class",
    "faculty": "professor research interests publications award phd associate teaching department committee editor "
    "chair conference journal sabbatical society member advising grant",
    "student": "resume advisor graduate undergraduate hobbies friends music roommate favorite links bookmarks photo "
    "hometown degree thesis bored movies guestbook interests apartment",
    "project": "group research funded members sponsors goals overview prototype publications software release "
    "collaborators approach investigators demo papers technical results grant",
    "other": "page updated information click file download figure section table version index mail archive list",
}
TOPICS = {"course": "course", "faculty": "faculty", "student": "student", "project": "research project"}
COUNTS = {"course": 40, "faculty": 25, "student": 60, "project": 20}
PARTS = {
    "course": ("Homework", "Lecture notes", "Schedule", "Solutions", "Announcements"),
    "faculty": ("Publications", "Vita", "Travel"),
    "student": ("Hobbies", "Photos", "Bookmarks", "Resume"),
    "project": ("Papers", "Software", "Pictures"),
}
LISTS = {"course": "Courses", "faculty": "People", "student": "Graduate students", "project": "Research"}
HOSTS = ("www.cs.northfield.edu", "cs.lakeshore.edu", "www.cs.stateline.edu", "www.eastbrook.edu")
FOLDERS = (  # of a host, by kind
    {"course": "Info/Courses/{when}/CS{no}/", "faculty": "Info/People/{last}/", "student": "Info/People/{last}/",
     "project": "Info/Projects/{short}/"},
    {"course": "users/{teacher}/cs{no}/", "faculty": "users/{last}/", "student": "users/{last}/",
     "project": "users/{short}/"},
    {"course": "education/courses/{no}/{when}/", "faculty": "faculty/{last}.html", "student": "homes/{last}/",
     "project": "research/projects/{short}/www/"},
    {"course": "~cs{no}/cs{no}.html", "faculty": "~{last}/{last}.html", "student": "~{last}/",
     "project": "~{short}/"},
)  # fmt: skip
ANY = [word for word in top_n_list("en", 6000) if word.isalpha()][500:]
SYLLABLES = "an bel cor dan el far gor han il jar ken lor mal nor os pel quin ros sar tan ul ver wil yor zan".split()


@dataclass(slots=True)
class Spot:
    """A page."""

    kind: str
    host: int
    title: str
    anchor: str
    url: str
    subjects: tuple[str, ...]
    links: list[Spot] = field(default_factory=list)


class Campus:
    """All pages, and who links to whom."""

    def __init__(self, seed: int = 1) -> None:
        self._dice = Random(seed)
        self._urls: set[str] = set()
        self.spots: list[Spot] = []
        self.of: dict[tuple[int, str], list[Spot]] = {}
        homes = [self._university(host) for host in range(len(HOSTS))]
        for home in homes:
            home.links += [h for h in homes if h is not home]
        for spot in list(self.spots):
            if spot.kind in ("faculty", "project", "student") and self._dice.random() < 0.3:
                far = self._dice.choice([h for h in range(len(HOSTS)) if h != spot.host])
                spot.links += self._some(self.of[far, self._dice.choice(["faculty", "project", "course"])], 2)
                spot.links.append(homes[far])

    def _add(self, kind: str, host: int, title: str, anchor: str, path: str, subjects: Sequence[str]) -> Spot:
        url = f"http://{HOSTS[host]}/{path}"
        while url in self._urls:
            url = url.rstrip("/") + "x/" if url.endswith("/") else url.replace(".html", "x.html")
        self._urls.add(url)
        spot = Spot(kind, host, title, anchor, url, tuple(subjects))
        self.spots.append(spot)
        return spot

    def _name(self) -> tuple[str, str]:
        first, last = ("".join(self._dice.sample(SYLLABLES, 2)).capitalize() for _ in range(2))
        return first, last

    def _some(self, things: Sequence[Spot], most: int) -> list[Spot]:
        return self._dice.sample(list(things), min(len(things), self._dice.randint(0, most)))

    def _university(self, host: int) -> Spot:
        home = self._add("other", host, "Department of Computer Science", "CS home", "", ())
        for kind in ("faculty", "student", "project", "course"):
            self.of[host, kind] = [self._entity(kind, host) for _ in range(COUNTS[kind])]
        for kind in LISTS:
            path = f"{LISTS[kind].lower().replace(' ', '-')}.html"
            listing = self._add("other", host, f"{LISTS[kind]} at {HOSTS[host]}", LISTS[kind], path, ())
            listing.links += [home, *self._dice.sample(self.of[host, kind], int(0.6 * COUNTS[kind]))]
            home.links.append(listing)
        self._relate(host, home)
        return home

    def _entity(self, kind: str, host: int) -> Spot:
        subjects = self._dice.sample(list(SUBJECTS), 1 if kind == "course" else 2)
        first, last = self._name()
        short = "".join(self._dice.sample(SYLLABLES, 2))
        number = self._dice.randint(100, 799)
        teacher = self._dice.choice(self.of[host, "faculty"]).url.split("/")[-2] if kind == "course" else ""
        path = FOLDERS[host][kind].format(
            no=number, when=self._dice.choice(["fall96", "spring97", "current"]), last=last.lower(), short=short,
            teacher=teacher,
        )  # fmt: skip
        title, anchor = {
            "course": (f"CS {number}: {subjects[0]}", self._dice.choice([f"CS {number}", subjects[0]])),
            "project": (f"{short.upper()} {subjects[0]}", self._dice.choice([short.upper(), f"{short} {subjects[0]}"])),
        }.get(kind, (f"{first} {last}" + self._dice.choice(["", "'s home page"]), f"{first} {last}"))
        main = self._add(kind, host, title, anchor, path, subjects)
        folder = path.rpartition("/")[0]
        for part in self._dice.sample(PARTS[kind], self._dice.randint(1, 3)):
            at = f"{folder}/{part.split()[0].lower()}{self._dice.choice(['', '1', '2'])}.html"
            page = self._add("other", host, f"{part} - {title}", part, at, subjects)
            page.links.append(main)
            main.links.append(page)
        return main

    def _relate(self, host: int, home: Spot) -> None:
        faculty, student, project, course = (self.of[host, k] for k in ("faculty", "student", "project", "course"))
        for c in course:
            c.links += [self._dice.choice(faculty), *self._some(student, 2), *self._some(course, 1)]
            self._dice.choice(faculty).links.append(c)
        for p in project:
            members = [self._dice.choice(faculty), *self._some(student, 4)]
            p.links += [*members, *self._some(project, 1)]
            for m in members:
                if self._dice.random() < 0.7:
                    m.links.append(p)
        for s in student:
            advisor = self._dice.choice(faculty)
            s.links += [advisor, *self._some(course, 2), *self._some(student, 3)]
            if self._dice.random() < 0.5:
                advisor.links.append(s)
        for spot in (*faculty, *student, *project, *course):
            if self._dice.random() < 0.6:
                spot.links.append(home)

    def html(self, spot: Spot) -> str:
        """A third each of what a page says: its kind's words, its subjects', any words."""
        dice = Random(spot.url)
        own = WORDS[spot.kind].split()
        subject = " ".join(SUBJECTS[s] for s in spot.subjects).split() or WORDS["other"].split()
        if spot.kind in TOPICS and dice.random() < 0.6:
            own += TOPICS[spot.kind].split()
        text = [dice.choice(dice.choice((own, subject, ANY))) for _ in range(dice.randint(40, 160))]
        filler = "the of and for with in to a on by we is this".split()
        said = " ".join(w for word in text for w in (dice.choice(filler), word))
        items = [
            f"<li>{dice.choice(filler)} <a href='{link.url}'>{escape(link.anchor)}</a>" for link in self._near(spot)
        ]
        lines = f"<h1>{escape(spot.title)}</h1><p>{said}</p><ul>{''.join(items)}</ul>"
        return f"<html lang=en><head><title>{escape(spot.title)}</title></head><body>{lines}</body></html>"

    def _near(self, spot: Spot) -> Iterator[Spot]:
        seen = {spot.url}
        for link in spot.links:
            if link.url not in seen:
                seen.add(link.url)
                yield link

    def write(self, folder: Path) -> None:
        """As a recorded web, two seeds a topic."""
        folder.mkdir(parents=True, exist_ok=True)
        write_warc(folder / "pages.warc.gz", {s.url: self.html(s) for s in self.spots})
        (folder / "labels.tsv").write_text("url\ttopic\n" + "".join(f"{s.url}\t{s.kind}\n" for s in self.spots))
        toml = []
        for kind, words in TOPICS.items():
            seeds = [max(self.of[h, kind][:5], key=lambda s: len(s.links)).url for h in (0, 2)]
            toml.append(
                f'[topics."{kind}"]\nwords = "{words}"\nlabels = ["{kind}"]\nseeds = {seeds}\n'.replace("'", '"')
            )
        (folder / "topics.toml").write_text("\n".join(toml))


if __name__ == "__main__":
    Campus(int(sys.argv[2]) if len(sys.argv) > 2 else 1).write(Path(sys.argv[1]))
