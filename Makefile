# Everything happens in .venv; the stamps in it let a second call start at once.
HOST = 127.0.0.1
PORT = 8050
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --only-binary :all:

# A file's tests stay together, so that what they share is set up once; tests/suite.py gives the costliest out first.
PYTEST = .venv/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# Kept also where the system turns it off: every server and worker that a test starts would compile our sources again.
export PYTHONDONTWRITEBYTECODE =

# The Pythons that pyproject.toml allows, newest first.
LOW := $(shell sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.[0-9]*"/\1/p' pyproject.toml)
ABOVE := $(shell sed -n 's/^requires-python = ">=3\.[0-9]*,<3\.\([0-9]*\)"/\1/p' pyproject.toml)
NEWEST := $(shell expr $(ABOVE) - 1)
PYTHON := $(shell seq $(NEWEST) -1 $(LOW) | sed 's/^/python3./') python3

# An environment whose Python has gone from the machine is made anew.
$(shell test -x .venv/bin/python || rm -f .venv/made .venv/run .venv/test .venv/spark)

.PHONY: help run test check everything docs phrases lint types scripts scripts-check audit bench bench-hadoop load faults fuzz referee cluster gallery pictures lock clean chromium

help:
	@echo "make run       serve the dashboard at http://$(HOST):$(PORT) (HOST=... PORT=... to change it)"
	@echo "make test      run the tests"
	@echo "make check     within a minute: lint, types, the rules of the house, and of the tests that a change since the last passed run reaches the cheapest (ALL=1 all quick tests)"
	@echo "make everything  run the long tests too, the fuzz, the faults, the load and the gallery in full"
	@echo "make docs      write the parts of engine/docs that follow from the code"
	@echo "make phrases   write down what the product says now where tests expected other words; to be called until nothing changes (ONLY='a b' some files or folders of tests)"
	@echo "make lint      look for style faults"
	@echo "make types     look for values of a wrong type (mypy)"
	@echo "make scripts   build assets/gantry.js and assets/tour.js of assets/scripts, and check these: types, style, tests (Node, npm)"
	@echo "make audit     look for known holes in what is pinned (asks osv.dev)"
	@echo "make bench     measure speed, write bench.json (ONLY=a,b some parts; BASE=<git revision> as ratios to it)"
	@echo "make bench-hadoop  one workload through this engine, Hadoop's own schedulers and YARN's Scheduler Load Simulator (ONLY=fair,drf; SECONDS=... of the last)"
	@echo "make load      a class of 80 behind nginx for ten minutes (VISITORS=... MINUTES=...)"
	@echo "make faults    kill, stop, fill and damage what the server stands on, and look what the page says (ONLY='a b' some faults)"
	@echo "make fuzz      try 100,000 hostile inputs (INPUTS=... another number)"
	@echo "make referee   ask Hadoop's own schedulers again (Java, Maven), print what changed, keep their decisions as golden files (NEW=1 new scripts only)"
	@echo "make cluster   start a real Hadoop cluster on this machine (Java, Maven), run batches of jobs and of Spark's applications twice, collect their histories (BATCHES='mixed spark'; RECORD=1 keep them, make the table of predictions anew)"
	@echo "make gallery   run the papers' experiments again, print what changed, record it (FIT=1 search the free parameters, MAPS=1 draw the claims' maps, OPTIMUM=1 look for the optima of HaSTE's workloads)"
	@echo "make pictures  take the documents' pictures again"
	@echo "make lock      pin the dependencies of pyproject.toml (remove requirements*.txt first for the newest)"
	@echo "make clean     remove the environment and all caches"

run: .venv/run
	@exec .venv/bin/python -m webapp --host $(HOST) --port $(PORT)

test: lint types scripts-check chromium
	$(PYTEST)

check: lint types scripts-check chromium
	$(PYTEST) $(if $(ALL),-m "not browser and not gallery and not hypothesis and not cluster",--changed)

everything: lint types scripts-check chromium
	$(PYTEST) --everything
	$(MAKE) fuzz
	$(MAKE) faults
	$(MAKE) load
	$(MAKE) gallery

docs: .venv/test
	@.venv/bin/python -m tests.documents

phrases: .venv/test
	-$(PYTEST) -p tests.phrases.renewal $(ONLY)

lint: .venv/test
	.venv/bin/ruff check
	.venv/bin/lizard -l python -C 20 -w engine webapp tests

types: .venv/test
	.venv/bin/mypy

# The page's scripts are built and committed, so that who only runs Gantry needs no Node.
scripts: node_modules/.made
	npm run --silent build
	npm run --silent check

scripts-check:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.made && npm run --silent check; \
	else echo "The scripts of assets/scripts are not checked: that needs Node 20 or later with npm, and there is none."; fi

node_modules/.made: package.json package-lock.json
	@command -v npm >/dev/null || { echo "The scripts of assets/scripts are built with Node 20 or later and npm, and there is none." >&2; exit 1; }
	@echo "Installing package-lock.json."
	@npm ci --silent --no-audit --no-fund && touch $@

audit: .venv/test
	@.venv/bin/python -m tests.audit

bench: .venv/test chromium
	.venv/bin/python -m tests.bench --json bench.json $(if $(ONLY),--only $(ONLY)) $(if $(BASE),--base $(BASE))

bench-hadoop: .venv/test
	@.venv/bin/python -m tests.hadoop.side_by_side $(if $(ONLY),--only $(ONLY)) $(if $(SECONDS),--seconds $(SECONDS))

load: .venv/test chromium
	.venv/bin/python -m tests.load $(if $(VISITORS),--visitors $(VISITORS)) $(if $(MINUTES),--minutes $(MINUTES))

faults: .venv/test chromium
	.venv/bin/python -m tests.faults $(ONLY)

fuzz: .venv/test
	.venv/bin/python -m tests.fuzz $(if $(INPUTS),--inputs $(INPUTS))

referee: .venv/test
	.venv/bin/python -m tests.hadoop $(if $(NEW),--new)

cluster: .venv/test $(if $(or $(findstring spark,$(BATCHES)),$(if $(BATCHES),,all)),.venv/spark)
	@.venv/bin/python -m tests.hadoop.cluster $(if $(BATCHES),--batches $(BATCHES)) $(if $(TIMES),--times $(TIMES)) $(if $(RECORD),--record)

gallery: .venv/test
	.venv/bin/python -m tests.gallery $(if $(FIT),--fit) $(if $(MAPS),--maps) $(if $(OPTIMUM),--optimum)

pictures: .venv/test chromium
	.venv/bin/python -m tests.pictures

.venv/made:
	@bare=; fits='import sys; sys.exit(not (3, $(LOW)) <= sys.version_info[:2] < (3, $(ABOVE)))'; \
	for python in $(PYTHON); do \
	    "$$python" -c "$$fits" 2>/dev/null || continue; \
	    bare=$$python; \
	    "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	    echo "Making .venv with $$("$$python" -V)."; \
	    "$$python" -m venv --clear .venv && touch $@; exit; \
	done; \
	if [ "$$bare" ]; then \
	    echo "$$bare cannot make an environment, its venv module is missing; Debian and Ubuntu have it in the package $$bare-venv." >&2; \
	else \
	    echo "Gantry needs Python 3.$(LOW) to 3.$(NEWEST), and none was found among: $(PYTHON)." >&2; \
	fi; exit 1

.venv/run: requirements.txt .venv/made
	@$(call install,$<)

.venv/test: requirements-test.txt .venv/made
	@$(call install,$<)

# Spark's package comes as sources alone, of which nothing is compiled.
.venv/spark: requirements-spark.txt .venv/made
	@echo "Installing $<: Spark is 345 MB."; $(PIP) --no-binary pyspark -r $< && touch $@

# The engine's own packages first: the simulator is compiled on one core while the other installs the rest.
ENGINE = numba|llvmlite|numpy|pydantic|pydantic-core|annotated-types|typing-extensions|typing-inspection
install = echo "Installing $(1)."; \
    awk '/^[^ ]/ { wanted = /^($(ENGINE))==/ } wanted' $(1) >.venv/engine.txt; \
    if $(PIP) --no-deps -r .venv/engine.txt; then nice .venv/bin/python -c 'from engine import warm; warm(["fair", "fifo"])' >/dev/null 2>&1 & fi; \
    if $(PIP) -r $(1); then touch $@; \
    else echo "$(1) was not installed: above is why; pip must reach a package index, and there must be wheels for this machine." >&2; exit 1; fi

chromium:
	@for browser in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do command -v $$browser >/dev/null && exit 0; done; \
	echo "Installing Chromium for the browser tests."; \
	root=; [ "$$(id -u)" = 0 ] || root=sudo; \
	if command -v apt-get >/dev/null; then $$root apt-get -qq update && for package in chromium-headless-shell chromium; do \
	    $$root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y $$package && break; done; \
	elif command -v dnf >/dev/null; then $$root dnf --quiet -y install chromium; \
	elif command -v pacman >/dev/null; then $$root pacman -S --noconfirm chromium; \
	elif command -v zypper >/dev/null; then $$root zypper --non-interactive --quiet install chromium; \
	else false; fi || { echo "The browser tests need Chromium, and it could not be installed: install your system's package of it." >&2; exit 1; }

# The lock keeps what it pins as long as pyproject.toml allows it.
LOCK = .venv/bin/uv pip compile --quiet --universal --python-version 3.$(LOW) --generate-hashes --no-emit-index-url --custom-compile-command "make lock"

lock: .venv/made
	.venv/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) pyproject.toml --extra test --constraint requirements.txt --output-file requirements-test.txt
	sed -n 's/^spark = \["\(.*\)"\]$$/\1/p' pyproject.toml | $(LOCK) - --output-file requirements-spark.txt

clean:
	rm -rf .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis build bench.json
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
