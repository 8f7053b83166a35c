#!/usr/bin/env bash
# Builds Octavo and deploys one stage of it to the AWS account that the environment's credentials belong to.
#
#   infra/deploy.sh STAGE [OPTION...]     STAGE has a table in samconfig.toml; each OPTION goes to `sam deploy`
#
# Needs infra/setup.sh to have run, credentials and a region in the environment, and Docker for the functions that are
# images. Writes .octavo/aws-STAGE.json, with which octavo-admin finds the deployed stack.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly TOOLS=.octavo/venv/tools/bin
readonly PACKAGES=(jobs compat documents files account hooks site process-pdf fanout deliver bury sweep octavo-admin)
export SAM_CLI_TELEMETRY=0

fail() {
  printf 'deploy: %s\n' "$*" >&2
  exit 1
}

# setting NAME: what samconfig.toml says of NAME in the stage's table; nothing if it says nothing.
setting() {
  "$TOOLS/python" - "$stage" "$1" <<'PYTHON'
import sys, tomllib
stage, name = sys.argv[1:]
with open("samconfig.toml", "rb") as file:
    table = tomllib.load(file).get(stage, {}).get("deploy", {}).get("parameters", {})
value = table.get(name, "")
print(*value if isinstance(value, list) else [value], sep="\n")
PYTHON
}

# wanted_architecture: the value of the template's parameter Architecture in this stage.
wanted_architecture() {
  local given
  given=$(setting parameter_overrides | grep -oE 'Architecture=[a-z0-9_]+' | tail -n 1 || true)
  printf '%s' "${given:-Architecture=x86_64}" | sed 's/^Architecture=//'
}

# own_architecture: this machine's, in Lambda's words.
own_architecture() { uname -m | sed 's/^aarch64$/arm64/'; }

check() {
  [[ -x $TOOLS/sam ]] || fail "the SAM CLI is missing: run infra/setup.sh"
  [[ $stage != local ]] || fail "the stage local is the local stack: run make serve"
  [[ -n $(setting stack_name) ]] || fail "samconfig.toml has no table [$stage.deploy.parameters]: copy the one of dev"
  # Binaries are built for the machine that builds them.
  [[ $(wanted_architecture) == "$(own_architecture)" ]] ||
    fail "the stage $stage runs on $(wanted_architecture), this machine builds for $(own_architecture)"
  docker info >/dev/null 2>&1 || fail "Docker does not answer: it builds the images of processors"
}

build() {
  cargo build --locked --profile ship "${PACKAGES[@]/#/--package=}"
  PROFILE=ship "$TOOLS/sam" build
}

# The operator's command reads of a stack in AWS what it reads of the local one, credentials apart.
describe() {
  local binaries=${CARGO_TARGET_DIR:-target}/ship
  .octavo/venv/stack/bin/python infra/describe_stack.py \
    --stack "$(setting stack_name)" --admin "$binaries/octavo-admin" --output ".octavo/aws-$stage.json"
}

[[ $# -gt 0 ]] || fail "usage: infra/deploy.sh STAGE [OPTION...]"
readonly stage=$1
shift
check
build
"$TOOLS/sam" deploy --config-env "$stage" "$@"
describe
