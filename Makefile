# Sigboard. `make help` lists the commands. Needs Python 3.11 or newer; nothing else has to be installed first.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
# Windows has another folder in its environments.
BIN := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY := $(VENV)/$(BIN)/python
PORT ?= 8501
ARGS ?=
# Workers that share the tests: auto = one for each core, at most 4 (tests/conftest.py); 0 = this process alone.
JOBS ?= auto

# The first Python that is new enough, unless PYTHON=... names one.
SUITABLE := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(SUITABLE)' 2>/dev/null && { echo $$p; break; }; done)

define NO_PYTHON
Sigboard needs Python 3.11 or newer, but $(if $(PYTHON),$(PYTHON) is older or does not run,none was found under the names python3 and python3.11 to python3.14).
Install one (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python; or https://www.python.org/downloads/),
or name one that is installed:  make $(or $(MAKECMDGOALS),run) PYTHON=/path/to/python3.12
endef
define NO_VENV
$(PYTHON) cannot create a virtual environment: its ensurepip module is missing (Debian and Ubuntu have it in another package).
Install it:  apt install python$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)-venv
Then run the same command again.
endef
export NO_PYTHON NO_VENV

.PHONY: help run test browser mutants fuzz soak nightly lock audit calibrate bench check format cluster-demo samples docs reproduce site pictures chromium clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | awk -F@ '{ printf "%-22s%s\n", $$1, $$2 }'

run: $(VENV)/.run ## start Sigboard in the browser, at 127.0.0.1:8501 (PORT=... for another port)
	@OPENBLAS_NUM_THREADS=1 $(PY) cli.py app --port $(PORT) -- $(ARGS)

# Whatever the shell says: the servers and commands that these start would compile every module again.
test browser bench soak nightly: export PYTHONDONTWRITEBYTECODE :=
# As in `run`: the workers share the cores already, and threads that wait for each other take time from all.
test browser nightly: export OPENBLAS_NUM_THREADS := 1

test: $(VENV)/.dev ## run all tests except the slow ones (ARGS="-k bleu" chooses some; JOBS=0 for one process)
	@$(PY) -m tests.browser.chromium || true
	$(PY) -m pytest -m "not slow" -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

browser: $(VENV)/.dev ## run all tests in a real browser: those of `make test`, and the slow ones on every page and screen
	@$(PY) -m tests.browser.chromium
	$(PY) -m pytest -m browser -n $(JOBS) --dist loadfile --no-loadscope-reorder tests/browser $(ARGS)

mutants: $(VENV)/.dev ## change single lines of every package: at least 85 % must make a test fail (ARGS=NAME chooses some)
	$(PY) -m tests.mutants $(ARGS)

fuzz: $(VENV)/.dev ## read 100,000 damaged files: nothing may crash or vanish without a word (ARGS="--inputs 5000")
	$(PY) -m tests.fuzz $(ARGS)

soak: $(VENV)/.dev $(VENV)/.cluster ## 20 visitors at once on two servers with one store for 5 minutes: clicks, memory, every number (ARGS="--seconds 60 --faults")
	$(PY) -m tests.soak $(ARGS)

nightly: $(VENV)/.dev $(VENV)/.cluster ## many seeds in random order, slow tests, fuzz, mutants, soak (ARGS="--seeds 2 seeds fuzz" for some)
	@$(PY) -m tests.browser.chromium || true
	$(PY) -m tests.nightly $(ARGS)

lock: $(VENV)/.audit/.made ## write requirements.lock again: the versions of requirements.txt with the hashes of their files (needs a network)
	@printf '%s\n' "# Made by \`make lock\` from requirements.txt: the same versions, with the hashes of all their files. The Dockerfile installs these." > requirements.lock.new
	$(VENV)/.audit/$(BIN)/python -m uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-annotate --no-header requirements.txt >> requirements.lock.new
	@mv requirements.lock.new requirements.lock

audit: $(VENV)/.cluster $(VENV)/.dev $(VENV)/.audit/.made ## check the packages: licences, consistency, known weaknesses (needs a network)
	$(PY) docs/licences.py --check
	$(PY) -m pip check
	$(PY) -m pip install --quiet --disable-pip-version-check --dry-run --ignore-installed --no-deps --require-hashes -r requirements.lock
	$(VENV)/.audit/$(BIN)/python -m pip_audit --strict --disable-pip --no-deps -r requirements.txt -r requirements-cluster.txt -r requirements-dev.txt

calibrate: $(VENV)/.dev ## run the slow tests: do p-values mean what they say?
	$(PY) -m pytest -m slow $(ARGS)

bench: $(VENV)/.dev ## run the benchmarks (ARGS=--quick, ARGS="large curves")
	$(PY) -m benchmarks $(ARGS)

check: $(VENV)/.dev ## check style, format and types
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy sigcore sigboard pages benchmarks app.py serve.py cli.py

format: $(VENV)/.dev ## fix style and format where ruff can
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

cluster-demo: $(VENV)/.cluster ## run one job on this machine's threads and on a small Dask cluster
	$(PY) demos/cluster.py $(ARGS)

samples: $(VENV)/.run ## regenerate the sample data
	$(PY) samples/make.py $(ARGS)

reproduce: $(VENV)/.run ## run every claim of the papers on the samples, and store the results in docs/ (minutes)
	$(PY) docs/reproduced.py
	$(PY) docs/make.py

docs: $(VENV)/.run ## regenerate the generated pages of docs/ and the table of questions in the README
	$(PY) docs/make.py $(ARGS)

site: $(VENV)/.docs ## build the documentation as a site, in site/
	$(PY) docs/make.py
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs --quiet build --strict
	@echo "Open site/index.html."

pictures: $(VENV)/.dev ## take the pictures of all pages again, light and dark (ARGS="matrix gain" for some)
	@$(PY) -m tests.browser.chromium
	$(PY) -m tests.browser.pictures $(ARGS)

chromium: $(VENV)/.dev ## install Chromium for the browser tests, if there is none (system packages where you are root)
	$(PY) -m tests.browser.chromium --install

clean: ## remove the virtual environment and all generated files
	rm -rf $(VENV) dist site .pytest_cache .hypothesis .mypy_cache .ruff_cache tests/browser/shots benchmarks/results/quick
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each list of packages: it is installed again only when the list or the environment is newer.
$(VENV)/.run: requirements.txt $(VENV)/.made
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.cluster: requirements-cluster.txt requirements.txt $(VENV)/.made
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-cluster.txt
	@touch $@

$(VENV)/.docs: requirements-docs.txt requirements.txt $(VENV)/.made
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-cluster.txt requirements.txt $(VENV)/.made
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# pip-audit and what it needs are not packages of the project, so they have an environment of their own.
$(VENV)/.audit/.made: $(VENV)/.made
	$(PYTHON) -m venv --clear $(VENV)/.audit
	$(VENV)/.audit/$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit uv
	@touch $@

$(VENV)/.made:
	@$(or $(PYTHON),false) -c '$(SUITABLE)' 2>/dev/null || { printf '%s\n' "$$NO_PYTHON" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { printf '%s\n' "$$NO_VENV" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# An environment whose Python was removed or replaced by another version is created again.
ifneq ($(wildcard $(VENV)/.made),)
ifneq ($(shell $(PY) -m pip --version >/dev/null 2>&1 && echo sound),sound)
.PHONY: $(VENV)/.made
endif
endif
