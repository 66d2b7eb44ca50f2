# Two commands set up a fresh machine: `make crawl` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
TOPIC ?= auto racing
SEEDS ?=
PAGES ?= 1400

.PHONY: help crawl pise site test lint check bench bench-semrank clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

.venv/ready: requirements.txt requirements-dev.txt constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --disable-pip-version-check -r requirements-dev.txt -c constraints.txt
	@touch $@

crawl: .venv/ready ## crawl: the demo web, or the real one with TOPIC="…" SEEDS="https://…,https://…"
	@if [ -n "$(SEEDS)" ]; then $(BIN)/scrapy crawl semrank -a topic="$(TOPIC)" -a seeds="$(SEEDS)" -a pages=$(PAGES); \
	else FCA_WORLD=demo $(BIN)/scrapy crawl semrank -a topic="$(TOPIC)" -a pages=$(PAGES); fi

pise: .venv/ready ## a local page over all crawls in jobs/: begin, watch, search, mark (http://127.0.0.1:8087)
	$(BIN)/scrapy pise jobs

test: .venv/ready ## all tests, the slow proofs too
	$(BIN)/python -m pytest

site: .venv/ready ## the documents as a site, in out/site; a link that leads nowhere is an error
	$(BIN)/mkdocs build --strict -q

lint: .venv/ready ## format, lint, types, doors between rooms
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint ## what must pass before a commit: lint, and the quick tests
	$(BIN)/python -m pytest -m "not slow"

bench: .venv/ready ## every benchmark; one JSON line a figure (see bench/README.md)
	@for f in bench/bench_*.py; do echo "== $$f"; $(BIN)/python $$f || exit 1; done

bench-semrank: .venv/ready ## how fast concepts and SemRank are, against the plain ways
	$(BIN)/python bench/bench_semrank.py

clean: ## remove what the other targets made, but for harvests (out/)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
