#!/usr/bin/env bash
# Refuses binaries that Lambda's own runtime cannot start: Amazon Linux 2023 has glibc 2.34.
#
#   infra/lint/glibc.sh FILE...      exit 0: every FILE starts there; 1: one does not; 2: one is no ELF file
set -euo pipefail

readonly NEWEST=2.34

# needed FILE: the newest version of glibc that FILE asks for; nothing if it needs none.
# A symbol of the private version GLIBC_PRIVATE is matched by no number and so is left out.
needed() {
  readelf --version-info --wide -- "$1" | grep -oE 'GLIBC_[0-9]+(\.[0-9]+)+' | sed 's/^GLIBC_//' | sort --unique --version-sort | tail -n 1 || true
}

# at_most VERSION LIMIT: is VERSION not newer than LIMIT?
at_most() { [[ $(printf '%s\n%s\n' "$1" "$2" | sort --version-sort | tail -n 1) == "$2" ]]; }

[[ $# -gt 0 ]] || { echo "usage: infra/lint/glibc.sh FILE..." >&2; exit 2; }
command -v readelf >/dev/null || { echo "glibc.sh: readelf is missing (package binutils)" >&2; exit 2; }

status=0
for file in "$@"; do
  if ! readelf --file-header -- "$file" >/dev/null 2>&1; then
    echo "$file: not an ELF file" >&2
    exit 2
  fi
  version=$(needed "$file")
  if [[ -n $version ]] && ! at_most "$version" "$NEWEST"; then
    echo "$file: needs glibc $version, but provided.al2023 has $NEWEST: build it on an older system" >&2
    status=1
  fi
done
exit "$status"
