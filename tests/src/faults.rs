//! Fault injection at the emulator's wire; rules are described in `infra/local/wire.py`.

use std::path::PathBuf;

use serde_json::Value;

use crate::wire::state_directory;

/// Active fault rules; removed when dropped.
#[must_use]
pub struct Faults {
    file: PathBuf,
}

/// Makes matching requests fail. Requires a stack started with `OCTAVO_FAULTS=1`.
pub fn inject(rules: &[Value]) -> Faults {
    let file = state_directory().join("faults.json");
    let draft = file.with_extension("draft");
    std::fs::write(&draft, serde_json::to_vec(rules).unwrap()).unwrap();
    std::fs::rename(&draft, &file).unwrap();
    Faults { file }
}

impl Drop for Faults {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).unwrap();
    }
}
