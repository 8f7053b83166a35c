# shellcheck shell=bash
# What every part of the set-up shares: messages, stamps, and becoming root.

say() { printf 'setup: %s\n' "$*"; }

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# stamp NAME FILE...: the stamp's path for the present content of FILE...
stamp() {
  local name=$1
  shift
  printf '%s/setup/%s.%s' "$STATE" "$name" "$(cat "$@" | sha256sum | cut -c1-16)"
}

# write_stamp PATH: records that a part is complete, and forgets its older stamps.
write_stamp() {
  mkdir -p "${1%/*}"
  rm -f "${1%.*}".*
  : >"$1"
}

# as_root COMMAND...: runs it as root, through sudo when needed.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "root is needed for: $* (run as root, or install sudo)"
  fi
}
