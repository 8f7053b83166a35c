//! The programs that we are compared with: without one of them, there is no run.

use std::process::{Command, Stdio};

/// Ends the whole run if a peer does not even tell its version, or whatever it is asked.
pub(crate) fn require(name: &str, asked: &mut Command) {
    let found = asked.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(
        found.is_ok_and(|status| status.success()),
        "{name} is missing: run `infra/setup.sh bench`"
    );
}
