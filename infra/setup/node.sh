# shellcheck shell=bash
# sharp, the package for Node.js that the benchmark compares images with.

readonly LEAST_NODE=20.9.0

# `.octavo/npm/peers` with exactly the packages of the lock, each pinned by hash; none of their scripts is run.
peers_modules() {
  local home=$STATE/npm/peers from=infra/local/peers stamp
  stamp=$(stamp npm-peers infra/setup/node.sh "$from/package.json" "$from/package-lock.json")
  [[ -e $stamp && -d $home/node_modules/sharp ]] && return
  new_enough_node || fail "Node.js $LEAST_NODE or newer with npm is needed to compare images with sharp"
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
