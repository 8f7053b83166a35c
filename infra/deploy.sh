#!/usr/bin/env bash
# Builds Octavo and deploys a stage to the AWS account of the environment's credentials.
#
#   infra/deploy.sh STAGE [OPTION...]     STAGE is a table of samconfig.toml; each OPTION is passed to `sam deploy`
#
# Requires `infra/setup.sh deploy`, credentials and a region in the environment, and Docker for the functions deployed as
# images. Writes the stack file .octavo/aws-STAGE.json for octavo-admin.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly TOOLS=.octavo/venv/tools/bin
readonly STACK_PYTHON=.octavo/venv/stack/bin/python
readonly PACKAGES=(jobs compat documents files account hooks site process engine-pdf fanout deliver dead-letter sweep octavo-admin)
export SAM_CLI_TELEMETRY=0

fail() {
  printf 'deploy: %s\n' "$*" >&2
  exit 1
}

# setting NAME: prints the value of NAME in the stage's table of samconfig.toml; empty if it is not set.
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

# wanted_architecture: prints the template parameter Architecture of this stage.
wanted_architecture() {
  local given
  given=$(setting parameter_overrides | grep -oE 'Architecture=[a-z0-9_]+' | tail -n 1 || true)
  printf '%s' "${given:-Architecture=x86_64}" | sed 's/^Architecture=//'
}

# overrides: prints the stage's template parameters in samconfig.toml, each on a line of its own.
overrides() {
  "$TOOLS/python" - "$stage" <<'PYTHON'
import sys, tomllib
with open("samconfig.toml", "rb") as file:
    value = tomllib.load(file)[sys.argv[1]]["deploy"]["parameters"].get("parameter_overrides", [])
print(*value if isinstance(value, list) else [value], sep="\n")
PYTHON
}

# deploy OPTION...: deploys. Sets the parameter TenantIsolation unless it is set in samconfig.toml or by an option.
deploy() {
  local given=() isolation overrides
  if [[ " $* " != *" --parameter-overrides"* && $(setting parameter_overrides) != *TenantIsolation=* ]]; then
    isolation=$("$STACK_PYTHON" infra/tenant_isolation.py)
    # The option replaces the parameters of samconfig.toml.
    overrides=$(overrides)
    mapfile -t given < <(printf '%s' "$overrides")
    given=(--parameter-overrides "${given[@]}" "TenantIsolation=$isolation")
  fi
  "$TOOLS/sam" deploy --config-env "$stage" "${given[@]}" "$@"
}

# own_architecture: prints this machine's architecture by Lambda's name.
own_architecture() { uname -m | sed 's/^aarch64$/arm64/'; }

check() {
  [[ -x $TOOLS/sam ]] || fail "the SAM CLI is missing: run infra/setup.sh"
  [[ $stage != local ]] || fail "the stage 'local' is reserved for the local stack: run make serve"
  [[ -n $(setting stack_name) ]] || fail "samconfig.toml has no table [$stage.deploy.parameters]: copy that of dev"
  # No cross-compilation: binaries run on the architecture of this machine only.
  [[ $(wanted_architecture) == "$(own_architecture)" ]] ||
    fail "the stage $stage runs on $(wanted_architecture), but this machine builds for $(own_architecture)"
  docker info >/dev/null 2>&1 || fail "Docker is not running: start it to build the images of the engine functions"
}

build() {
  cargo build --locked --profile ship "${PACKAGES[@]/#/--package=}"
  PROFILE=ship "$TOOLS/sam" build
}

# Writes the stack file of the deployed stack, which contains no credentials.
describe() {
  local binaries=${CARGO_TARGET_DIR:-target}/ship
  "$STACK_PYTHON" infra/describe_stack.py \
    --stack "$(setting stack_name)" --admin "$binaries/octavo-admin" --output ".octavo/aws-$stage.json"
}

[[ $# -gt 0 ]] || fail "usage: infra/deploy.sh STAGE [OPTION...]"
readonly stage=$1
shift
check
build
deploy "$@"
describe
