# shellcheck shell=bash
# The Python environments of the local stack and of the tools, and the pdfium library that the first brings.

# Apart, because the pins of MiniStack and of the SAM CLI conflict, and schemathesis is no tool of the deployment.
stack_environment() {
  environment stack infra/local/requirements-stack.txt
  pdfium
}

tools_environment() { environment tools infra/local/requirements-tools.txt; }

tests_environment() { environment tests infra/local/requirements-tests.txt; }

# What the benchmark compares with.
peers_environment() { environment peers infra/local/requirements-peers.txt; }

# environment NAME REQUIREMENTS: `.octavo/venv/NAME` with exactly those packages, each pinned by hash.
environment() {
  local home=$STATE/venv/$1 stamp python
  stamp=$(stamp "venv-$1" infra/setup/python.sh "$2")
  [[ -e $stamp && -x $home/bin/python ]] && return
  python=$(newest_python)
  say "Python packages to install into $home, for $("$python" --version): those of $2"
  rm -rf "$home"
  "$python" -m venv "$home"
  "$home/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    --no-compile --no-deps --require-hashes --only-binary :all: --requirement "$2"
  write_stamp "$stamp"
}

# The newest Python from 3.11 on that can make an environment.
newest_python() {
  local candidate
  for candidate in python3.14 python3.13 python3.12 python3.11 python3 /usr/bin/python3; do
    if "$candidate" -c 'import sys, venv, ensurepip, ssl, sqlite3; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  fail "Python 3.11 or newer is needed"
}

# The library that pdfium-render loads, from the wheel that pins it.
pdfium() {
  local library
  library=$(find "$STATE/venv/stack/lib" -name libpdfium.so -print -quit)
  [[ -n $library ]] || fail "pypdfium2 brought no libpdfium.so: remove $STATE/venv/stack and try again"
  mkdir -p "$STATE/lib"
  cmp -s "$library" "$STATE/lib/libpdfium.so" || install -m 644 "$library" "$STATE/lib/libpdfium.so"
}
