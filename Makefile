# Two commands: make demo, make test. Both set everything up first.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
export PYRIGHT_PYTHON_USE_BUNDLED_PYRIGHT := 1
# Otherwise every process compiles all it imports anew, where the environment says so.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint typecheck unit format lock bench-bookkeeping bench-kep bench-overhead bench-chunking bench-normalization bench-sensor clean

help:            ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: $(INSTALLED)   ## Make .venv and install the locked packages

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.5"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	@touch $@

demo: setup      ## Ingest the example corpus and print the summary
	$(BIN)/edgekeeper ingest examples/handbook

test: lint typecheck unit   ## Lint, types and all tests

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

typecheck: setup
	$(BIN)/pyright

# Three workers also on two cores: the tests of daemons and browsers wait most of their time.
unit: setup
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

format: setup    ## Format and apply safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup      ## Write requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --group dev --python-version 3.11 --universal --generate-hashes --upgrade -q -o requirements.lock

bench-bookkeeping: setup   ## What a tiny document costs besides its reading, for 250 to 5,000 of them
	$(BIN)/python -m benchmarks.bookkeeping

bench-kep: setup   ## Ingest 125 real design documents: time per stage, memory, every promise as a query
	$(BIN)/python -m benchmarks.kep

bench-overhead: setup   ## The same documents through Dagster and by direct calls
	$(BIN)/python -m benchmarks.overhead

bench-chunking: setup   ## Chunk gold documents beside other chunkers (benchmarks/requirements.txt)
	$(BIN)/python -m benchmarks.chunking

bench-normalization: setup   ## Speed and recovery of every loader
	$(BIN)/python -m benchmarks.normalization all

bench-sensor: setup   ## One look of the sensor at 2,500 new and 10,000 unchanged files
	$(BIN)/python -m benchmarks.sensor

clean:           ## Remove everything that was made
	rm -rf $(VENV) .edgekeeper .pytest_cache .ruff_cache .hypothesis
