# shellcheck shell=bash
# Packages for Node.js: sharp, which the benchmark compares images with, and the library that the guide's receiver of
# webhooks uses.

readonly LEAST_NODE=20.9.0

peers_modules() { modules peers sharp; }

receivers_modules() { modules receivers standardwebhooks; }

# modules NAME PACKAGE: `.octavo/npm/NAME` with exactly the packages of the lock, PACKAGE among them, each pinned by hash;
# none of their scripts is run.
modules() {
  local home=$STATE/npm/$1 from=infra/local/$1 stamp
  stamp=$(stamp "npm-$1" infra/setup/node.sh "$from/package.json" "$from/package-lock.json")
  [[ -e $stamp && -d $home/node_modules/$2 ]] && return
  new_enough_node || fail "Node.js $LEAST_NODE or newer with npm is needed for $2"
  say "npm packages to install into $home: those of $from"
  rm -rf "$home"
  mkdir -p "$home"
  cp "$from/package.json" "$from/package-lock.json" "$home"
  (cd "$home" && npm ci --silent --ignore-scripts --no-audit --no-fund --no-update-notifier)
  write_stamp "$stamp"
}

new_enough_node() {
  command -v npm >/dev/null || return
  local version
  version=$(node --version 2>/dev/null) || return
  printf '%s\n%s\n' "$LEAST_NODE" "${version#v}" | sort --check --version-sort 2>/dev/null
}
