#!/usr/bin/env bash
# Installs what building and running Octavo needs, and nothing that is already there.
#
#   infra/setup.sh          system packages, both Python environments, pdfium: enough for `make demo`
#   infra/setup.sh checks   also the cargo tools that `make test` runs
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
# shellcheck source=infra/setup/cargo.sh
source infra/setup/cargo.sh

mkdir -p "$STATE/setup"

base() {
  system_packages
  rust_toolchain
  python_environments
}

case "${1:-base}" in
  base) base ;;
  checks) base && cargo_tools ;;
  *) fail "usage: infra/setup.sh [checks]" ;;
esac
