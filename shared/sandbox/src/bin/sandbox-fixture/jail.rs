//! Plays the restrictions of AWS Lambda: a filter of the platform refuses `prctl`, nested filters and more, and the kernel has
//! no Landlock.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};

/// Refused with EPERM.
const REFUSED: [libc::c_long; 12] = [
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_fallocate,
    libc::SYS_memfd_create,
    libc::SYS_mount,
    libc::SYS_pidfd_open,
    libc::SYS_prctl,
    libc::SYS_ptrace,
    libc::SYS_seccomp,
    libc::SYS_setns,
    libc::SYS_umount2,
    libc::SYS_unshare,
];
/// Refused with ENOSYS, as by an old kernel: Landlock and close_range.
const MISSING: [libc::c_long; 4] = [
    libc::SYS_close_range,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_restrict_self,
];

/// Restricts this thread and every process that it starts.
pub(crate) fn restrict_thread() -> io::Result<()> {
    refuse(&MISSING, libc::ENOSYS)?;
    // The last one, because it refuses further filters.
    refuse(&REFUSED, libc::EPERM)
}

fn refuse(calls: &[libc::c_long], error: libc::c_int) -> io::Result<()> {
    let rules: BTreeMap<_, _> = calls.iter().map(|call| (*call, Vec::new())).collect();
    let refusal = SeccompAction::Errno(error.cast_unsigned());
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, architecture);
    let program = filter.and_then(BpfProgram::try_from);
    apply_filter(&program.map_err(io::Error::other)?).map_err(io::Error::other)
}
