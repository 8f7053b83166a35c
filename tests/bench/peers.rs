//! Peers: the programs that Octavo is compared with. A run requires all of them.

use std::process::{Command, Stdio};

/// Panics if a peer's trial command (such as `--version`) fails.
pub(crate) fn require(name: &str, trial: &mut Command) {
    let found = trial.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(
        found.is_ok_and(|status| status.success()),
        "{name} is missing: run `infra/setup.sh bench`"
    );
}
