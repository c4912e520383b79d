# Needs python3 (3.11 or later) with venv, and make. Everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
SECONDS_EACH ?= 3600
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test lint tests test-slow test-engines fuzz soak reproduce bench docs lock clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: .venv/run ## Install podium into .venv and show what it does.
	$(BIN)/podium demo

test: lint tests ## Check style, types and layers, then run the whole test suite.

lint: .venv/dev ## Check style, types and the layers.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

tests: .venv/dev ## Run the tests and the examples in docstrings and docs.
	$(BIN)/pytest -n auto -m "not slow and not engines"

test-slow: .venv/dev ## Run the tests that take minutes.
	$(BIN)/pytest -m slow

test-engines: .venv/engines ## Count pairs inside Spark, Dask, Ibis, DuckDB and polars, and simulate on Ray.
	$(BIN)/pytest -m engines tests/engines

fuzz: .venv/dev ## Feed the readers and the service what nobody would send, for hours.
	$(PIP) atheris
	$(BIN)/python bench/fuzz_readers.py --seconds $(SECONDS_EACH)
	$(BIN)/pytest -m slow tests/server/test_fuzz.py tests/study/test_machine.py

soak: .venv/dev ## Kill workers and servers again and again, and count what was lost.
	$(BIN)/pytest -m slow tests/client tests/server tests/store

reproduce: .venv/dev ## Remake the tables and figures of the papers.
	$(BIN)/podium reproduce

bench: .venv/dev ## Time podium against a fixed kernel (and peers that are installed).
	$(BIN)/python bench/bench.py

docs: .venv/dev ## Build the documentation into site/.
	$(BIN)/python docs/build.py

lock: .venv/dev ## Pin the newest allowed version of every dependency.
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --upgrade \
		--python-version 3.11 --extra all --group dev pyproject.toml -o requirements.lock

clean: ## Remove everything that was made.
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis site podium-demo podium-reproduce

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run: pyproject.toml requirements.lock | .venv/bin/python
	$(PIP) --constraint requirements.lock --editable ".[all]"
	@touch $@

.venv/dev: .venv/run
	$(PIP) --requirement requirements.lock
	@touch $@

.venv/engines: requirements-engines.txt | .venv/dev
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && apt-get install --yes default-jre-headless; } \
		|| { echo "Spark needs Java 17 or later: sudo apt-get install default-jre-headless"; exit 1; }
	$(PIP) --constraint requirements.lock --requirement $<
	@touch $@
