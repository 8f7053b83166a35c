# shellcheck shell=bash
# The Rust toolchain that rust-toolchain.toml names, and the cargo tools of the checks.

# Name, version and options of each: only what the checks use of it, since it is built from source.
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
    command -v "$name" >/dev/null || missing_tool "$name" "$version" "$options"
  done
  rm -rf "$STATE/cargo-target"
}

# missing_tool NAME VERSION OPTIONS: builds it into cargo's home. Not optimised: a build takes a third of the time so,
# and a run of the checks hardly longer.
missing_tool() {
  say "$1 $2 to build and install into cargo's home"
  # shellcheck disable=SC2086 # OPTIONS are several words.
  CARGO_TARGET_DIR=$STATE/cargo-target CARGO_PROFILE_DEV_DEBUG=0 \
    cargo install --quiet --locked --debug "$1" --version "$2" $3
}
