//! The functions' binaries as the stack deployed them.

use std::process::Command;

use tests::documents::archive;
use tests::process::binaries;
use tests::stack::{checkout, stack};

/// Most bytes of the zip of a function of the API.
const ZIP: usize = 8_000_000;

pub(crate) fn are_small() {
    for function in ["jobs", "compat", "documents", "files", "account", "site"] {
        let bytes = std::fs::read(binaries().join(function)).unwrap();
        let size = archive([("bootstrap", bytes)]).len();
        assert!(size <= ZIP, "the zip of {function} has {size} bytes");
    }
}

pub(crate) fn need_no_newer_glibc() {
    let functions = stack().resources.functions.keys();
    let output = Command::new(checkout().join("infra/lint/glibc.sh"))
        .args(functions.map(|function| binaries().join(function)))
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
}
