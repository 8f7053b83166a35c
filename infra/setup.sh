#!/usr/bin/env bash
# Installs what building and running Octavo needs, and nothing that is already there.
#
#   infra/setup.sh          for `make demo`: system packages, the local stack's Python packages, pdfium
#   infra/setup.sh deploy   also for `make deploy`: the SAM CLI and the linters
#   infra/setup.sh bench    also for `make bench`: the tools that are compared with
#   infra/setup.sh checks   also for `make test`: schemathesis, libraries of receivers and the cargo tools
#
# A part that is complete costs a few milliseconds: each leaves a stamp named after the hash of its
# inputs, and looks at what it installed before it trusts the stamp.
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

# No `&&` between parts: in all but the last, a command that fails would not end the set-up, and its part would be
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
    cargo_tools
    ;;
  *) fail "usage: infra/setup.sh [deploy | bench | checks]" ;;
esac
