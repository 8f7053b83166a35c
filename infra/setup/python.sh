# shellcheck shell=bash
# The Python environments of local stack, tools, tests and benchmark, and the pdfium library from the first.

# Separate environments, because the pins of MiniStack and the SAM CLI conflict, and deployment does not need schemathesis.
stack_environment() {
  environment stack infra/local/requirements-stack.txt
  pdfium
}

tools_environment() { environment tools infra/local/requirements-tools.txt; }

tests_environment() { environment tests infra/local/requirements-tests.txt; }

# The tools to compare with in the benchmark.
peers_environment() { environment peers infra/local/requirements-peers.txt; }

# environment NAME REQUIREMENTS: creates `.octavo/venv/NAME` with exactly those packages, each pinned by hash.
environment() {
  local home=$STATE/venv/$1 stamp python
  stamp=$(stamp "venv-$1" infra/setup/python.sh "$2")
  [[ -e $stamp && -x $home/bin/python ]] && return
  python=$(newest_python)
  log "installing the Python packages of $2 into $home, for $("$python" --version)"
  rm -rf "$home"
  "$python" -m venv "$home"
  "$home/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    --no-compile --no-deps --require-hashes --only-binary :all: --requirement "$2"
  write_stamp "$stamp"
}

# newest_python: prints the newest Python from 3.11 on that can create a virtual environment.
newest_python() {
  local candidate
  for candidate in python3.14 python3.13 python3.12 python3.11 python3 /usr/bin/python3; do
    if "$candidate" -c 'import sys, venv, ensurepip, ssl, sqlite3; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  fail "Python 3.11 or newer with venv is required: install it"
}

# Installs the library that pdfium-render loads, from the pinned wheel of pypdfium2.
pdfium() {
  local library
  library=$(find "$STATE/venv/stack/lib" -name libpdfium.so -print -quit)
  [[ -n $library ]] || fail "pypdfium2 contains no libpdfium.so: remove $STATE/venv/stack and try again"
  mkdir -p "$STATE/lib"
  cmp -s "$library" "$STATE/lib/libpdfium.so" || install -m 644 "$library" "$STATE/lib/libpdfium.so"
}
