# shellcheck shell=bash
# Shared functions of the setup: messages, stamps, root privileges.

log() { printf 'setup: %s\n' "$*"; }

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# stamp NAME FILE...: prints the stamp's path for the current content of FILE...
stamp() {
  local name=$1
  shift
  printf '%s/setup/%s.%s' "$STATE" "$name" "$(cat "$@" | sha256sum | cut -c1-16)"
}

# write_stamp PATH: records that a part is complete, and removes its older stamps.
write_stamp() {
  mkdir -p "${1%/*}"
  rm -f "${1%.*}".*
  : >"$1"
}

# as_root COMMAND...: runs COMMAND as root, with sudo if necessary.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "this command needs root: $* (run as root, or install sudo)"
  fi
}
