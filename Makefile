# Octavo. `make` lists the targets; `make demo` and `make test` set up whatever they need.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUNCTIONS := $(notdir $(wildcard functions/*))
PACKAGES := $(FUNCTIONS) octavo-admin
LOCAL := .octavo/venv/stack/bin/python infra/local
TOOLS := .octavo/venv/tools/bin
SCRIPTS = $(shell git ls-files --cached --others --exclude-standard '*.sh' .ci/run)
# Every run names the same packages and features, so that all of them are compiled once.
TEST := cargo nextest run --locked --workspace --features aws/stack -E
ON_STACK := (package(aws) & binary(conformance))
export AWS_DEFAULT_REGION ?= us-east-1
export SAM_CLI_TELEMETRY := 0

.PHONY: help setup setup-checks setup-bench build demo serve test check bench bench-layout soak fmt openapi deploy clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

setup: ## install what `make demo` and `make serve` need
	@infra/setup.sh

setup-checks:
	@infra/setup.sh checks

setup-bench:
	@infra/setup.sh bench

build: ## build the functions and the operator's command
	cargo build --release --locked $(PACKAGES:%=--package %)

demo: setup build ## turn a document into a PDF on a local stack, and show how it went
	$(LOCAL) run --state .octavo/demo -- .octavo/venv/stack/bin/python infra/local/demo.py

serve: setup build ## start a local stack and stay; writes .octavo/stack.json
	@$(LOCAL) serve

test: check build ## run every check and every test
	$(TEST) 'not package(tests) - $(ON_STACK)'
	OCTAVO_FAULTS=1 $(LOCAL) run --state .octavo/test -- $(TEST) 'package(tests)'
	$(LOCAL) run --state .octavo/test -- .octavo/venv/tests/bin/python tests/schemathesis/run.py
	$(LOCAL) run --state .octavo/test -- .octavo/venv/tests/bin/python tests/browser/run.py
	$(LOCAL) run --state .octavo/test -- $(TEST) '$(ON_STACK)'

check: setup-checks ## check style, lints, licences and the template, without running anything
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --features aws/stack -- --deny warnings
	cargo deny --log-level error check bans licenses sources
	cargo machete --skip-target-dir
	shellcheck --external-sources $(SCRIPTS)
	$(TOOLS)/ruff check
	$(TOOLS)/ruff format --check
	$(TOOLS)/typos
	$(TOOLS)/taplo fmt --check
	$(TOOLS)/sam validate --lint
	$(TOOLS)/cfn-lint
	$(TOOLS)/python -m unittest discover --quiet infra/lint
	PYTHONPATH=infra/local .octavo/venv/stack/bin/python -m unittest discover --quiet infra/local/tests
	PYTHONPATH=tests/bench/layout .octavo/venv/tests/bin/python -m unittest discover --quiet tests/bench/layout/tests
	cargo xtask check

bench: setup-bench build ## measure on a local stack; PARTS='office web' measures only these
	$(LOCAL) run --state .octavo/bench -- cargo run --locked --package tests --bin bench -- $(PARTS)

bench-layout: setup setup-bench ## measure how well we and other tools keep the structure of PDFs
	cargo build --locked --release --package engine --bin layout-fixture
	mkdir -p .octavo/bench-layout/pictures
	.octavo/venv/peers/bin/python tests/bench/layout measure .octavo/bench-layout \
		--ours "$(CURDIR)/target/release/layout-fixture $(CURDIR)/.octavo/lib/libpdfium.so $(CURDIR)/.octavo/bench-layout/pictures tagged"

soak: setup build ## tell living and dead receivers of a thousand jobs while workers are killed, and see that nothing is lost
	$(LOCAL) run --state .octavo/soak -- cargo run --locked --package tests --bin bench -- soak

fmt: setup-checks ## format Rust, Python and TOML
	cargo fmt --all
	$(TOOLS)/ruff check --fix
	$(TOOLS)/ruff format
	$(TOOLS)/taplo fmt

openapi: ## write infra/openapi.json from the table of routes
	cargo xtask openapi

deploy: ## deploy to AWS: make deploy STAGE=dev
	@infra/setup.sh deploy
	infra/deploy.sh $(or $(STAGE),$(error give a stage, as in make deploy STAGE=dev))

clean: ## remove everything that was built, downloaded or written here
	cargo clean
	rm -rf .octavo .aws-sam
