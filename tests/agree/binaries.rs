//! Checks of the deployed binaries.

use std::process::Command;

use tests::process::binary;
use tests::stack::{checkout, stack};

pub(crate) fn check_glibc_version() {
    let functions = stack().resources.functions.keys();
    let output = Command::new(checkout().join("infra/lint/glibc.sh"))
        .args(functions.map(|function| binary(function)))
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
}
