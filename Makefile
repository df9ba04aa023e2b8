# Every target sets up what it needs by itself: a Python of 3.11 or newer, npm, and the package registries.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
ENV ?= dev
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
NODE_MAJOR := 22

MACHINE_PATH := $(subst $(CURDIR)/$(BIN):,,$(PATH))
export PATH := $(CURDIR)/$(BIN):$(CURDIR)/node_modules/.bin:$(PATH)
export UV_PROJECT_ENVIRONMENT := $(VENV)
# Modules are compiled once and kept: without bytecode each Lambda worker would compile them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

.PHONY: install
install: $(VENV)/.installed node_modules/.installed ## .venv with the locked dependencies and the ragstone command; the CDK command line

.PHONY: demo
demo: install ## the whole main job on this machine: drop, ask, be refused, change, measure
	ragstone local demo

.PHONY: local
local: install ## the stack with the sample documents, running until Ctrl-C
	ragstone local up

.PHONY: test
test: install ## every test, on real servers
	pytest

.PHONY: bench
bench: install ## speed and memory beside the bare libraries
	for script in tests/bench/*.py; do python -m tests.bench.$$(basename $$script .py) || exit 1; done

.PHONY: check
check: install ## lint, format, types, import rules, lock files
	ruff check .
	ruff format --check .
	pyright
	lint-imports
	uv lock --check
	npm ci --ignore-scripts --dry-run --silent

.PHONY: synth
synth: install ## the CloudFormation templates of ENV=dev, and each layer's and function's size
	cdk synth --quiet -c env=$(ENV) --output cdk.out/$(ENV)
	python -m infra.sizes cdk.out/$(ENV)

.PHONY: deploy
deploy: install ## deploy ENV=dev into the AWS account of your credentials
	cdk deploy --all -c env=$(ENV)

.PHONY: clean
clean: ## stop the local environment, remove what was made here
	-[ -x $(BIN)/ragstone ] && ragstone local down
	rm -rf $(VENV) node_modules cdk.out .ragstone .cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Ragstone needs Python 3.11 or newer; name one: make PYTHON=python3.13"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

# Node comes from PyPI where the machine's is too old for the CDK.
$(VENV)/.installed: $(BIN)/uv pyproject.toml uv.lock
	@major=$$(PATH="$(MACHINE_PATH)" node --version 2>/dev/null | sed 's/v\([0-9]*\).*/\1/'); \
	[ "$${major:-0}" -ge $(NODE_MAJOR) ] || node="--group node"; \
	set -x; uv sync --locked --quiet --group dev $$node
	touch $@

node_modules/.installed: package.json package-lock.json $(VENV)/.installed
	npm ci --ignore-scripts --silent
	touch $@
