//! Seccomp filter for the calls that are denied regardless of arguments, as a binary search.
//!
//! On installation the kernel runs a filter for every system call number (its action cache), so a filter with linear search
//! would take most of the time of confining a child.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{BackendError, BpfProgram, TargetArch, sock_filter};

/// Maximum number of calls compared by linear search.
const LINEAR_SEARCH_MAX: usize = 4;

const LOAD_WORD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
/// Offsets of call number and architecture in `struct seccomp_data` [linux/seccomp.h].
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

/// The filter that denies each of these calls with its errno and allows all others. A call under another architecture kills
/// the process.
pub(super) fn program(calls: &BTreeMap<c_long, i32>) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    // System call numbers are small.
    let number = |call: &c_long| u32::try_from(*call).unwrap_or(u32::MAX);
    let calls = calls.iter();
    let calls: Vec<(u32, u32)> = calls
        .map(|(call, error)| (number(call), error.cast_unsigned()))
        .collect();
    let mut program = vec![
        step(LOAD_WORD, (0, 0), ARCHITECTURE),
        step(JUMP_IF_EQUAL, (1, 0), audit_arch(architecture)),
        step(RETURN, (0, 0), libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD_WORD, (0, 0), NUMBER),
    ];
    program.extend(binary_search(&calls)?);
    Ok(program)
}

/// The audit constant of an architecture [linux/audit.h].
fn audit_arch(architecture: TargetArch) -> u32 {
    match architecture {
        TargetArch::x86_64 => 0xc000_003e,
        TargetArch::aarch64 => 0xc000_00b7,
        TargetArch::riscv64 => 0xc000_00f3,
    }
}

fn binary_search(calls: &[(u32, u32)]) -> Result<BpfProgram, BackendError> {
    let (below, others) = calls.split_at(calls.len() / 2);
    let middle = match others.first() {
        Some((middle, _)) if calls.len() > LINEAR_SEARCH_MAX => *middle,
        _ => return Ok(linear_search(calls)),
    };
    let below = binary_search(below)?;
    // A jump is no farther than that.
    let too_far = |_| BackendError::FilterTooLarge(below.len());
    let beyond = u8::try_from(below.len()).map_err(too_far)?;
    let mut program = vec![step(JUMP_IF_AT_LEAST, (beyond, 0), middle)];
    program.extend(below);
    program.extend(binary_search(others)?);
    Ok(program)
}

fn linear_search(calls: &[(u32, u32)]) -> BpfProgram {
    let compared = calls.iter().flat_map(|(call, error)| {
        [
            step(JUMP_IF_EQUAL, (0, 1), *call),
            step(RETURN, (0, 0), libc::SECCOMP_RET_ERRNO | error),
        ]
    });
    let otherwise = step(RETURN, (0, 0), libc::SECCOMP_RET_ALLOW);
    compared.chain([otherwise]).collect()
}

/// One BPF instruction; `jt` and `jf` are the instructions to skip if the comparison is true or false.
fn step(code: u16, (jt, jf): (u8, u8), k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interprets a filter like the kernel.
    fn run_filter(program: &[sock_filter], architecture: u32, number: u32) -> u32 {
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = &program[at];
            let jump = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            at += 1;
            match step.code {
                LOAD_WORD => loaded = [number, architecture][step.k as usize / 4],
                JUMP_IF_EQUAL => at += jump(loaded == step.k),
                JUMP_IF_AT_LEAST => at += jump(loaded >= step.k),
                RETURN => return step.k,
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn listed_calls_are_denied_and_all_others_allowed() {
        let architecture = audit_arch(TargetArch::try_from(std::env::consts::ARCH).unwrap());
        for count in [0, 1, 4, 5, 75, 300] {
            let listed: BTreeMap<c_long, i32> =
                (0..count).map(|call| (7 + call * 3, call as i32)).collect();
            let Ok(program) = program(&listed) else {
                assert_eq!(count, 300);
                continue;
            };
            for number in (0..1_000).chain([u32::MAX]) {
                let expected = match listed.get(&c_long::from(number)) {
                    Some(error) => libc::SECCOMP_RET_ERRNO | error.cast_unsigned(),
                    None => libc::SECCOMP_RET_ALLOW,
                };
                assert_eq!(
                    run_filter(&program, architecture, number),
                    expected,
                    "{number}"
                );
                let foreign = run_filter(&program, architecture ^ 1, number);
                assert_eq!(foreign, libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }
}
