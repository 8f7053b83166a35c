# shellcheck shell=bash
# The Rust toolchain that rust-toolchain.toml names, and the cargo tools of the checks.

readonly CARGO_TOOLS=(cargo-nextest cargo-machete cargo-deny)

rust_toolchain() {
  command -v cargo >/dev/null || fail "cargo is missing: install Rust with rustup (see rust-toolchain.toml), then run this again"
}

cargo_tools() { :; }
