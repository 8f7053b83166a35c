# shellcheck shell=bash
# The Rust toolchain of rust-toolchain.toml, and the cargo tools for the checks.

# Name, version and options of each tool, with only the features in use, because it is built from source.
readonly CARGO_TOOLS=(
  "cargo-nextest 0.9.151 --no-default-features --features default-no-update"
  "cargo-machete 0.9.2"
  "cargo-deny 0.20.2 --no-default-features"
)

rust_toolchain() {
  command -v cargo >/dev/null || fail "cargo is missing: install Rust with rustup, then run this again"
}

cargo_tools() {
  local tool name version options
  for tool in "${CARGO_TOOLS[@]}"; do
    read -r name version options <<<"$tool"
    command -v "$name" >/dev/null || install_tool "$name" "$version" "$options"
  done
  rm -rf "$STATE/cargo-target"
}

# install_tool NAME VERSION OPTIONS: builds the tool without optimization and installs it into cargo's home: the build takes
# a third of the time, and the checks are hardly slower.
install_tool() {
  log "building $1 $2 and installing it into cargo's home"
  # shellcheck disable=SC2086 # OPTIONS are several words.
  CARGO_TARGET_DIR=$STATE/cargo-target CARGO_PROFILE_DEV_DEBUG=0 \
    cargo install --quiet --locked --debug "$1" --version "$2" $3
}
