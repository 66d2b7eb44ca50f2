"""For eggs (scrapyd): the package with its data. Everything else is in pyproject.toml."""

from setuptools import find_packages, setup

setup(
    packages=find_packages(include=["fcacrawler", "fcacrawler.*"]),
    include_package_data=True,
    package_data={
        "fcacrawler": [
            "py.typed",
            "**/*.toml",
            "**/*.ttl",
            "**/*.npy",
            "vectors/data/*.txt",
            "**/*.json",
            "**/*.lua",
            "**/*.sql",
            "**/*.html",
            "pise/static/*",
        ]
    },
)
