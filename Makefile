# What entropeg can do on a machine with Python 3.11 to 3.14, git and make. Everything happens in .venv, which the
# first target that needs it builds from the locked versions in requirements/.

.DEFAULT_GOAL := help
.PHONY: help demo serve site wasm proven checker figures notebooks texts test quick test-long coverage mutants busy oldest lint format bench field \
	docs lock upgrade clean pythons package pyodide review changes release vulnerabilities
.DELETE_ON_ERROR:

# With this variable set, each run would compile every module and every kernel again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
SOURCES := $(wildcard src tests benchmarks docs/conf.py docs/extensions scripts/*.py)
# One process more than there are processors: some tests wait for browsers, and for programs that are interrupted.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)
# A process that has nothing left to do takes tests over from the one with the most.
SUITE = -m pytest -n $(JOBS) --dist worksteal
PYTEST = $(BIN)/python $(SUITE)

help:
	@echo "make demo     the main job: every codebreaker against every codemaker, as a report in demo/"
	@echo "make serve    the laboratory in the browser: play, advice, review, training, comparison"
	@echo "make test     everything that is checked: formatting, lint, types, the whole test suite (ROOM=search: the tests of a room)"
	@echo "make quick    lint and tests of what a change touches, in about a minute"
	@echo "make test-long  the suite with thousands of drawn cases and the dearest boards, coverage, mutants: before a release"
	@echo "make mutants  whether tests notice what is changed in their room (ROOM=, COUNT=40 of each room, SEED=1)"
	@echo "make coverage  the share of each room's lines that the suite runs, and whether one has fallen"
	@echo "make busy     the suite three times in a row beside sixteen busy processes (TESTS=tests/game/test_rules.py: a part)"
	@echo "make proven   the proofs of formal/ by Coq, the checker that is extracted from them, and proofs checked by it"
	@echo "make checker  the checker alone, from what was extracted, by OCaml without Coq"
	@echo "make oldest   the tests of kernels with the oldest numba that entropeg runs on"
	@echo "make pythons  the tests with every Python that is installed, each in .venv-3.X (TESTS=tests/game/test_rules.py: a part)"
	@echo "make package  the wheel and the source archive in dist/, each tried outside the source tree"
	@echo "make pyodide  the same, and the wheel imported by Pyodide's Python under Node"
	@echo "make changes  what the next release would say, from the fragments in changes/"
	@echo "make release  looks whether a release is in order, and builds its files twice (TAG=yes: tags it)"
	@echo "make review   the repository review of the Scientific Python community"
	@echo "make vulnerabilities  known weaknesses of every locked version, where a service can be asked"
	@echo "make lint     formatting, lint and types only"
	@echo "make format   let ruff format the sources and repair what it can"
	@echo "make figures  the figures of README.md, from the demo"
	@echo "make site     the page as files that need no server, in site/ (URL=https://...: the address that its links have)"
	@echo "make wasm     the kernels of the page without a server, built from their source and compared (WRITE=1: written anew)"
	@echo "make notebooks  the notebooks of docs/learn/notebooks as files of Jupyter, from their text"
	@echo "make texts    the French of the page and the library, from src/entropeg/data/texts/fr/; tells what is missing"
	@echo "make bench    the benchmarks in brief, with the machine's name and what was asked: four minutes on two cores"
	@echo "make field    every public claim on large boards, played again in eight minutes (CLAIMS=sat-16x6 GAMES=200: a part; kept in build/)"
	@echo "make docs     the documentation, in docs/_build/html, in French in docs/_build/html/fr"
	@echo "make lock     write the locked versions again after a change in pyproject.toml (upgrade: take the newest)"
	@echo "make clean    remove everything that the other targets made"

# The stamps stand for "what the locks say is installed": while none changes, nothing is installed. What developers need
# includes what runs need, so that `.dev` brings `.run` along. They hold
# the folder's name: in a folder that was moved or copied, and where .venv has lost its Python, they do not count.
$(shell for stamp in .venv/.run .venv/.dev .venv/.docs; do \
	[ "$$(cat $$stamp 2>/dev/null)" = "$(CURDIR)" ] && [ -x .venv/bin/python ] || rm -f $$stamp; done)

.venv/.run: requirements/run.txt pyproject.toml scripts/setup
	@sh scripts/setup requirements/run.txt
	@echo "$(CURDIR)" > $@

.venv/.dev: requirements/dev.txt pyproject.toml scripts/setup
	@sh scripts/setup requirements/dev.txt
	@echo "$(CURDIR)" | tee .venv/.run > $@

.venv/.docs: requirements/docs.txt .venv/.dev
	@sh scripts/setup requirements/dev.txt requirements/docs.txt
	@echo "$(CURDIR)" > $@

demo: .venv/.run
	@echo "demo: 1000 games of each pairing on 4x8, as a report in demo/"
	@$(BIN)/python -m entropeg report --rules 4x8 --games 1000 --out demo
	@echo "demo: done. Open $$(ls -d "$(CURDIR)"/demo/*.html | head -n 1)"

serve: .venv/.run
	@$(BIN)/python -m entropeg serve

figures: demo
	@cp demo/figures/4x8-consistent-honest-cheat.svg docs/figures/
	@echo "figures: those of README.md are in docs/figures/"

# The page as files that answer themselves; URL= is the address that its links have.
site: .venv/.run
	@$(BIN)/python -m entropeg site --out site $(if $(URL),--url $(URL))

# The kernels that the page without a server runs, built again and compared; WRITE=1 writes them, and what is known of them.
wasm: .venv/.dev
	@$(BIN)/python scripts/wasm.py $(if $(WRITE),--write)

notebooks: .venv/.dev
	@$(BIN)/python docs/extensions/notebooks.py

texts: .venv/.dev
	@$(BIN)/python scripts/make_texts.py
	@$(BIN)/python docs/extensions/languages.py

# Where no Chromium or no Firefox can be had, the tests of the page are skipped, which is said before and after; in CI that is an error.
# Seconds of each test are kept in build/tests.xml. That the whole suite has passed on what is committed is noted for a release.
TESTED = $(if $(ROOM),tests/$(ROOM))
ROOMS = $(patsubst tests/%/,%,$(dir $(wildcard tests/*/test_*.py)))
test: $(if $(ROOM),.venv/.dev,lint)
	@$(if $(ROOM),[ -d tests/$(ROOM) ] || { echo "test: there is no tests/$(ROOM); there are" $(sort $(ROOMS)) >&2; exit 2; })
	@sh scripts/browser || [ -z "$$CI" ]
	@sh scripts/browser firefox || [ -z "$$CI" ]
	@echo "test: $(if $(ROOM),the tests of $(ROOM),the test suite), $(JOBS) processes"
	@$(if $(ROOM),,$(BIN)/python scripts/release.py begun)
	@$(PYTEST) --durations=20 --junitxml=build/tests$(if $(ROOM),-$(ROOM)).xml $(TESTED)
	@sh scripts/browser --find firefox >/dev/null || echo "test: SKIPPED: tests in Firefox (see the line above)"
	@if sh scripts/browser --find >/dev/null; then $(if $(ROOM),:,$(BIN)/python scripts/release.py passed); \
	else echo "test: SKIPPED: browser tests (see the line above)"; fi

# What has changed since the branch left main; on main, since the last commit.
quick: .venv/.dev
	@$(BIN)/python scripts/touched.py $(JOBS) $(SOURCES)

# Hours of drawn cases; then how much of each room the usual suite runs, and whether it notices what is changed there.
test-long: lint
	@sh scripts/browser || [ -z "$$CI" ]
	@sh scripts/browser firefox || [ -z "$$CI" ]
	@echo "test-long: the test suite with all that it can draw, $(JOBS) processes"
	@ENTROPEG_LONG=1 HYPOTHESIS_PROFILE=long $(PYTEST) --durations=50 --junitxml=build/tests-long.xml
	@$(MAKE) --no-print-directory coverage mutants

# The lines of each room that the suite runs, against the floors of tests/covered.txt.
coverage: .venv/.dev
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(BIN)/python -m coverage run $(SUITE) -q
	@$(BIN)/python -m coverage combine --quiet && $(BIN)/python -m coverage json --quiet -o build/coverage/report.json
	@$(BIN)/python scripts/covered.py build/coverage/report.json

# A sample of each room (ROOM=, COUNT=40, SEED=1), in a copy of the tree; survivors are told in build/mutants.txt.
mutants: .venv/.dev
	@$(BIN)/python scripts/mutants.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(ROOM)

# No test may depend on the time that a machine takes: the whole suite beside sixteen busy processes, three times.
busy: .venv/.dev
	@JOBS=$(JOBS) sh scripts/busy $(TESTS)

# In CI a machine without Coq is an error. Tests that ask the checker are those of `make test ROOM=check`.
proven: .venv/.dev
	@sh scripts/proven || [ $$? -eq 3 -a -z "$$CI" ]
	@if [ -x formal/entropeg-checker ]; then $(BIN)/python -m entropeg optimal 4x6 --proof build/proven/4x6.json.gz && \
	$(BIN)/python -m entropeg verify build/proven/4x6.json.gz --proven; fi

# The proven checker alone, from what is extracted in formal/: OCaml is enough.
checker:
	@sh scripts/proven --checker || [ $$? -eq 3 -a -z "$$CI" ]

# Kernels reach into numba in a few places, so that they are tested with both ends of its range in pyproject.toml.
# Its compiled code is kept apart: each version of numba would overwrite the other's.
oldest: .venv/.dev
	@sh scripts/oldest; code=$$?; [ $$code -eq 0 ] || { echo "oldest: NOTHING IS TESTED"; [ $$code -eq 3 ]; exit; }; \
	.venv-oldest/bin/python -c "import numba; print('oldest: the tests of kernels with numba', numba.__version__)"; \
	NUMBA_CACHE_DIR="$(CURDIR)/.venv-oldest/kernels" .venv-oldest/bin/python -m pytest -n $(JOBS) -m kernels tests

# Every Python of pyproject.toml that is installed; TESTS= names a part of the suite.
pythons: .venv/.dev
	@JOBS=$(JOBS) sh scripts/pythons $(TESTS)

package: .venv/.dev
	@JOBS=$(JOBS) sh scripts/package

# Pyodide's own Python under Node: 3 says that one of them is not there.
pyodide: package
	@sh scripts/pyodide || [ $$? -eq 3 ]

changes: .venv/.dev
	@$(BIN)/python -m towncrier build --draft --version next

# The steps around it stand in RELEASING.md. With TAG=yes it makes the tag, too.
release: .venv/.dev
	@TAG=$(TAG) $(BIN)/python scripts/release.py

# The tools of requirements/quality.txt; 3: they cannot be had here.
define quality
[ -x .venv-quality/bin/python ] || python3 -m venv .venv-quality || { echo "$@: Python's venv is missing"; exit 1; }; \
.venv-quality/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/quality.txt \
|| { echo "$@: $(1): the tools of requirements/quality.txt cannot be had here"; exit 3; }
endef

# The review of the Scientific Python community; exceptions stand with their reasons in pyproject.toml.
review:
	@$(call quality,NOTHING IS REVIEWED)
	@.venv-quality/bin/python -m repo_review .

# 1: some are known; 3: no service answers, or not for all.
vulnerabilities:
	@$(call quality,NOT CHECKED)
	@.venv-quality/bin/python scripts/vulnerabilities.py

lint: .venv/.dev
	@echo "lint: formatting"
	@$(BIN)/python -m ruff format --check $(SOURCES)
	@echo "lint: ruff"
	@$(BIN)/python -m ruff check $(SOURCES)
	@echo "lint: types"
	@$(BIN)/python -m mypy $(SOURCES)
	@echo "lint: types of the page"
	@sh scripts/page-types $(BIN)/python || { [ $$? -eq 3 ] && [ -z "$$CI" ]; }
	@echo "lint: the page by ESLint"
	@sh scripts/page-lint || { [ $$? -eq 3 ] && [ -z "$$CI" ]; }
	@echo "lint: types of the public interface, by mypy and pyright"
	@sh scripts/user-types $(BIN)/python || { [ $$? -eq 3 ] && [ -z "$$CI" ]; }

format: .venv/.dev
	@$(BIN)/python -m ruff format $(SOURCES)
	@$(BIN)/python -m ruff check --fix $(SOURCES)

bench: .venv/.dev
	@for file in benchmarks/bench_*.py; do echo "bench: $$file --brief"; $(BIN)/python "$$file" --brief || exit 1; done

# What others say they take on large boards, and ours on the same secrets; a second run goes on from the games that are kept.
field: .venv/.dev
	@mkdir -p build && $(BIN)/python benchmarks/play_field.py $(CLAIMS) $(if $(GAMES),--games $(GAMES)) --csv build/field.csv

# In both languages; beside its folder a build leaves the notebooks that it has run.
SPHINX = $(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --jobs auto -b html
docs: .venv/.docs
	@echo "docs: building docs/_build/html"
	@$(SPHINX) docs docs/_build/html
	@echo "docs: building docs/_build/html/fr"
	@$(SPHINX) -D language=fr docs docs/_build/html/fr
	@rm -rf docs/_build/html/jupyter_execute
	@echo "docs: done. Open $(CURDIR)/docs/_build/html/index.html, or fr/index.html beside it"

lock:
	@sh scripts/lock

upgrade:
	@sh scripts/lock --upgrade

clean:
	rm -rf .venv .venv-3.* .venv-lock .venv-oldest .venv-quality .pyodide .types demo screenshots build dist docs/_build docs/lookup/reference/modules docs/lookup/commands
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find docs/locales -name '*.mo' -delete
	find $(wildcard src tests benchmarks docs scripts) -name __pycache__ -type d -prune -exec rm -rf {} +
