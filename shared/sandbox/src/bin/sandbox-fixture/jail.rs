//! Simulates the restrictions of AWS Lambda: a filter of the platform refuses `prctl`, nested filters and more, and the kernel
//! has no Landlock.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
use serde::Deserialize;

/// The refused system calls, with their numbers on x86-64.
const REFUSED: &str = include_str!("../../../../../tests/jail/refused.json");

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Refused {
    eperm: BTreeMap<String, i64>,
    enosys: BTreeMap<String, i64>,
}

/// Restricts this thread and every process that it starts.
pub(crate) fn restrict_thread() -> io::Result<()> {
    let refused: Refused = serde_json::from_str(REFUSED)?;
    refuse(&refused.enosys, libc::ENOSYS)?;
    // The last one, because it refuses further filters.
    refuse(&refused.eperm, libc::EPERM)
}

fn refuse(calls: &BTreeMap<String, i64>, error: libc::c_int) -> io::Result<()> {
    let rules: BTreeMap<_, _> = calls.values().map(|call| (*call, Vec::new())).collect();
    let refusal = SeccompAction::Errno(error.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, TargetArch::x86_64);
    let program = filter.and_then(BpfProgram::try_from);
    apply_filter(&program.map_err(io::Error::other)?).map_err(io::Error::other)
}
