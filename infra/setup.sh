#!/usr/bin/env bash
# Installs the missing prerequisites for building and running Octavo.
#
#   infra/setup.sh          for `make demo`: system packages, the local stack's Python packages, pdfium
#   infra/setup.sh deploy   also for `make deploy`: the SAM CLI and the linters
#   infra/setup.sh bench    also for `make bench`: the tools to compare with
#   infra/setup.sh checks   also for `make test`: schemathesis, webhook libraries and the cargo tools
#
# A completed part takes a few milliseconds: each part writes a stamp named after the hash of its
# inputs, and checks both the stamp and the installed files.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly STATE=.octavo
# shellcheck source=infra/setup/common.sh
source infra/setup/common.sh
# shellcheck source=infra/setup/packages.sh
source infra/setup/packages.sh
# shellcheck source=infra/setup/python.sh
source infra/setup/python.sh
# shellcheck source=infra/setup/node.sh
source infra/setup/node.sh
# shellcheck source=infra/setup/cargo.sh
source infra/setup/cargo.sh

mkdir -p "$STATE/setup"

base() {
  rust_toolchain
  system_packages
  stack_environment
}

# No `&&` between parts: it disables `set -e` inside all but the last, so that a part with a failed command would be
# stamped as complete.
case "${1:-}" in
  "") base ;;
  deploy)
    base
    tools_environment
    ;;
  bench)
    base
    peers_packages
    peers_environment
    peers_modules
    ;;
  checks)
    base
    tools_environment
    tests_environment
    receivers_modules
    browser_modules
    cargo_tools
    ;;
  *) fail "usage: infra/setup.sh [deploy | bench | checks]" ;;
esac
