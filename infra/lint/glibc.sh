#!/usr/bin/env bash
# Checks that binaries run on Lambda's base system, Amazon Linux 2023, which has glibc 2.34.
#
#   infra/lint/glibc.sh FILE...      exit status 0: every FILE runs there; 1: a FILE does not; 2: a FILE is not an ELF file
set -euo pipefail

readonly NEWEST=2.34

# needed FILE: prints the newest glibc version that FILE requires; empty if it requires none. GLIBC_PRIVATE has no number and
# is ignored.
needed() {
  readelf --version-info --wide -- "$1" | grep -oE 'GLIBC_[0-9]+(\.[0-9]+)+' | sed 's/^GLIBC_//' | sort --unique --version-sort | tail -n 1 || true
}

# at_most VERSION LIMIT: succeeds if VERSION is not newer than LIMIT.
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
