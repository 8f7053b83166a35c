//! The filter of the calls that are refused whatever their arguments: a search by halves. The kernel tries a filter with every
//! number that there is before it takes it, so that one that compares with each in turn takes most of what confining a child
//! does.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{BackendError, BpfProgram, TargetArch, sock_filter};

/// Calls that are compared with one after the other.
const IN_TURN: usize = 4;

const LOAD_WORD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
/// Where a filter finds the number of a call and its architecture [linux/seccomp.h: struct seccomp_data].
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

/// The filter that refuses each of these calls with its error number and allows all others. Any other architecture than the
/// compiled one ends the process.
pub(super) fn program(calls: &BTreeMap<c_long, i32>) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    // Numbers of calls are small.
    let number = |call: &c_long| u32::try_from(*call).unwrap_or(u32::MAX);
    let calls = calls.iter();
    let calls: Vec<(u32, u32)> = calls
        .map(|(call, error)| (number(call), error.cast_unsigned()))
        .collect();
    let mut program = vec![
        step(LOAD_WORD, (0, 0), ARCHITECTURE),
        step(JUMP_IF_EQUAL, (1, 0), audited(architecture)),
        step(RETURN, (0, 0), libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD_WORD, (0, 0), NUMBER),
    ];
    program.extend(search(&calls)?);
    Ok(program)
}

/// As the kernel calls an architecture [linux/audit.h].
fn audited(architecture: TargetArch) -> u32 {
    match architecture {
        TargetArch::x86_64 => 0xc000_003e,
        TargetArch::aarch64 => 0xc000_00b7,
        TargetArch::riscv64 => 0xc000_00f3,
    }
}

fn search(calls: &[(u32, u32)]) -> Result<BpfProgram, BackendError> {
    let (below, others) = calls.split_at(calls.len() / 2);
    let middle = match others.first() {
        Some((middle, _)) if calls.len() > IN_TURN => *middle,
        _ => return Ok(one_by_one(calls)),
    };
    let below = search(below)?;
    // A jump is no farther than that.
    let too_far = |_| BackendError::FilterTooLarge(below.len());
    let beyond = u8::try_from(below.len()).map_err(too_far)?;
    let mut program = vec![step(JUMP_IF_AT_LEAST, (beyond, 0), middle)];
    program.extend(below);
    program.extend(search(others)?);
    Ok(program)
}

fn one_by_one(calls: &[(u32, u32)]) -> BpfProgram {
    let compared = calls.iter().flat_map(|(call, error)| {
        [
            step(JUMP_IF_EQUAL, (0, 1), *call),
            step(RETURN, (0, 0), libc::SECCOMP_RET_ERRNO | error),
        ]
    });
    let otherwise = step(RETURN, (0, 0), libc::SECCOMP_RET_ALLOW);
    compared.chain([otherwise]).collect()
}

/// One instruction; jumps skip so many if what is compared holds, and if not.
fn step(code: u16, (jt, jf): (u8, u8), k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel does with a filter.
    fn answer(program: &[sock_filter], architecture: u32, number: u32) -> u32 {
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
    fn each_call_is_answered_as_it_is_listed_and_no_other() {
        let architecture = audited(TargetArch::try_from(std::env::consts::ARCH).unwrap());
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
                assert_eq!(answer(&program, architecture, number), expected, "{number}");
                let foreign = answer(&program, architecture ^ 1, number);
                assert_eq!(foreign, libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }
}
