# One command each: setup | demo | test | test-under-load | check | bench | quality | lock | new-source | oracles. A bare machine needs Python 3.11+ and make.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
HERB := ../shared/data/herb/corpus.jsonl.gz
PACKAGES := translators storage connectors orchestrator
export PYTHONUTF8 := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-under-load check lint types imports bench quality simulate chaos scale contract fuzz patterns messages pictures newcomer docs map conformance recipes digests lock sbom release new-source oracles clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "fedsearch needs Python 3.11 or newer; install it, or run make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: constraints/run.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r constraints/run.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip check
	@touch $@

$(VENV)/.dev: constraints/dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r constraints/dev.txt
	$(BIN)/python -m pip check
	@touch $@

setup: $(VENV)/.dev ## create the environment (all other targets do it by themselves)

demo: $(VENV)/.run ## ask a pretend workplace six questions over real sockets
	$(BIN)/fedsearch demo

test: $(VENV)/.dev ## run every test, and say which part took how long
	$(BIN)/python -m pytest -p tests.timing -n auto --dist worksteal

test-under-load: $(VENV)/.dev ## the tests that hang on time, on a machine kept busy; BUSY=12 TIMES=10 MINUTES=120
	$(BIN)/python -m tests.under_load --busy $(or $(BUSY),12) --times $(or $(TIMES),10) --minutes $(or $(MINUTES),120)

check: lint types imports ## what CI runs: style, types, import direction, every test, coverage
	$(BIN)/python -m pytest -p tests.timing -n auto --dist worksteal --cov --cov-report= --durations=25
	$(BIN)/coverage json -q -o .coverage.json
	$(BIN)/python tests/coverage_floor.py .coverage.json

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## print figures beside a hand-written floor measured in the same run
	$(BIN)/python -m tests.bench

quality: $(VENV)/.dev ## ask judged questions anew and hold the figures against their floors; FULL=1 ONLY=herb RAISE=1 WRITE=1 JSON=1
	@$(BIN)/python -m tests.quality $(if $(FULL),--full) $(if $(ONLY),--only $(ONLY)) $(if $(RAISE),--raise) $(if $(WRITE),--write) $(if $(JSON),--json)

simulate: $(VENV)/.dev ## ten thousand worlds of unreliable sources in virtual time
	$(BIN)/python -m tests.simulation

chaos: $(VENV)/.dev ## kill, freeze, fill, cut and slow a whole installation at random by a seed, and judge it; MINUTES=10 SEED=7
	nice $(BIN)/python -m tests.chaos --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

scale: $(VENV)/.dev ## more servers, a standby, more workers, an index over several machines, each on this one: what holds and what it costs; ONLY=servers
	nice $(BIN)/python -m tests.scale $(if $(ONLY),--only $(ONLY))

contract: $(VENV)/.dev oracles ## every night: thousands of generated requests against the vendors' own contracts (where ../shared has them), every law and pattern
	HYPOTHESIS_PROFILE=thousands $(BIN)/python -m pytest -n auto --dist worksteal tests/contract tests/property tests/e2e/test_http_api_schema.py tests/unit/connectors/test_every_source.py tests/unit/orchestrator/understand/test_patterns.py tests/security/test_patterns_are_linear.py tests/security/test_non_interference.py tests/e2e/test_two_people.py tests/e2e/test_page_browser.py::test_no_barrier_is_found

fuzz: $(VENV)/.dev ## hold the laws against what is drawn at random, for MINUTES=30 every night; what breaks one is kept in build/corpus and tried first from then on
	HYPOTHESIS_PROFILE=random nice timeout --signal=INT $(or $(MINUTES),30)m sh -c 'while $(BIN)/python -m pytest -x -n auto $(or $(ONLY),tests/property tests/security/test_non_interference.py); do :; done; exit 1' || test $$? = 124

patterns: $(VENV)/.dev ## judge what regular expressions are new and write down which are linear, so that tests need not
	$(BIN)/python -m tests.security.judging

pictures: $(VENV)/.dev ## make the pictures of the search page in docs/images anew (needs Chromium)
	PICTURES=1 $(BIN)/python -m pytest -n 0 tests/e2e/test_page_browser.py -k pictures

newcomer: $(VENV)/.dev ## go the ways of somebody new from an empty environment and the wheel alone, and write down how it went in docs/how-to/from-nothing.md (needs Chromium)
	$(BIN)/python -m tests.newcomer

map: $(VENV)/.dev ## make the map of rooms and imports in docs/reference anew
	$(BIN)/python -m tests.house_map

recipes: $(VENV)/.dev ## ask Matrix, Redmine and MediaWiki themselves by the ready declarations, as far as they are installed (tests/e2e/test_recipes_for_real.py says how)
	ASK_FOR_REAL=1 $(BIN)/python -m pytest tests/e2e/test_recipes_for_real.py -rs

messages: $(VENV)/.dev ## put new messages of the code into the catalogues of every language, to be translated there
	$(BIN)/python -m tests.catalogue

conformance: $(VENV)/.dev ## make the page of requirements and the tests that show them anew
	$(BIN)/python -m tests.conformance.page

docs: $(VENV)/.dev ## make the page of capabilities and the conversation with the bot anew
	$(BIN)/python -m tests.contract.capabilities
	$(BIN)/python -m tests.e2e.bot_transcript docs/how-to/a-bot-conversation.md

digests: $(VENV)/.dev ## make the weekly digests in docs anew; where ../shared has HERB, one of a week of it in build/
	$(BIN)/fedsearch digest demo --language ko --format markdown > docs/how-to/a-weekly-digest-ko.md
	$(BIN)/fedsearch digest demo --language en --format markdown > docs/how-to/a-weekly-digest-en.md
	@mkdir -p build
	test ! -e $(HERB) || $(BIN)/fedsearch digest demo --corpus $(HERB) --map meetings=notion --name "Julia Smith" --now 2026-09-14T09:00:00+09:00 --format html > build/herb-week.html

lock: ## pin dependencies anew: names, versions, hashes (needs uv)
	uv pip compile pyproject.toml --extra all --group dev --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade -o constraints/dev.txt
	uv pip compile pyproject.toml --extra all --group build --universal --python-version 3.11 --generate-hashes --no-annotate --no-header -c constraints/dev.txt -o constraints/run.txt

sbom: $(VENV)/.dev ## what an installation is made of, as CycloneDX, into dist/
	$(BIN)/python -m tests.sbom

release: $(VENV)/.dev ## wheel and source distribution into dist/, installed into empty environments of every Python here, and tried there
	$(BIN)/python -m tests.release
	$(BIN)/python -m tests.sbom

new-source: $(VENV)/.dev ## make new-source NAME=acme: a folder to fill in
	$(BIN)/python -m connectors.testing.scaffold $(NAME)

oracles: ## install the parsers and mocks that tests hold our requests against (needs Node.js 20)
	cd tests/contract/oracles/jql && npm install --ignore-scripts --no-audit --no-fund --loglevel=error
	cd tests/contract/oracles/prism && npm install --ignore-scripts --no-audit --no-fund --loglevel=error
	cd tests/contract/oracles/mcp && npm install --ignore-scripts --no-audit --no-fund --loglevel=error

clean: ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* dist
