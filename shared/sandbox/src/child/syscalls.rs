//! What the child may ask of the kernel (seccomp): no network, no other process, no kernel facility that engines never use.

mod always;

use std::collections::BTreeMap;

use rustix::process::{getpgrp, getpid};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use crate::channel::Description;
use crate::job::Network;

/// The error number of a call that succeeds without having been made. An office suite does not start unless it can listen
/// in `/tmp` for later commands; so it believes that it does, and nothing is there to be connected to or left behind.
const PRETENDED: i32 = 0;

/// Rules by system call; a call without rules matches always, one with rules if any rule does.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Filters this process and those it starts; whether all filters are in force.
pub(super) fn restrict(description: &Description) -> bool {
    programs(description)
        .is_ok_and(|programs| programs.iter().all(|program| apply_filter(program).is_ok()))
}

/// One program an error number, as a program has one only. The kernel takes the strictest answer of all.
fn programs(description: &Description) -> Result<Vec<BpfProgram>, BackendError> {
    let network = match description.network {
        Network::Nothing => no_network()?,
        Network::Proxy(_) => proxied_network()?,
    };
    let mut programs = vec![
        foreign_numbering(),
        program(network, libc::EACCES)?,
        program(other_processes(description)?, libc::EPERM)?,
        always::program(&refused_always())?,
    ];
    if description.limits.alone {
        programs.push(program(new_processes()?, libc::EPERM)?);
    }
    Ok(programs)
}

/// The calls that are refused whatever their arguments, with what each answers.
fn refused_always() -> BTreeMap<libc::c_long, i32> {
    let forbidden = FORBIDDEN.iter().map(|call| (*call, libc::EPERM));
    let others = [
        (libc::SYS_bind, PRETENDED),
        (libc::SYS_listen, PRETENDED),
        // The flags of clone3 lie in memory, out of a filter's sight; on ENOSYS the C library takes clone.
        (libc::SYS_clone3, libc::ENOSYS),
    ];
    forbidden.chain(others).collect()
}

/// Any other architecture than the compiled one ends the process: its numbers mean other calls.
fn program(rules: Rules, error: i32) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(error.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()
}

/// Refuses numbers above 2^30: with them x86-64 kernels offer every call a second time (the x32 interface), under the
/// same architecture and past the other filters.
fn foreign_numbering() -> BpfProgram {
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const X32_BIT: u32 = 0x4000_0000;
    let step = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        step(LOAD_WORD, 0, 0),
        step(JUMP_IF_AT_LEAST, 1, X32_BIT),
        step(RETURN, 0, libc::SECCOMP_RET_ALLOW),
        step(
            RETURN,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned(),
        ),
    ]
}

/// Only local stream sockets, and no connection to a server: the machine's services (a container engine's, for one) are
/// reached by path, which no filter sees.
fn no_network() -> Result<Rules, BackendError> {
    let local = all_but_streams(libc::AF_UNIX)?;
    Ok(Rules::from([
        (libc::SYS_socket, local.clone()),
        (libc::SYS_socketpair, local),
        (libc::SYS_connect, Vec::new()),
    ]))
}

/// Only TCP over IPv4, and local sockets in pairs. A local socket that could be connected is not made, so a connection is
/// TCP or none. Refused with them: UDP, and what is spoken over it (QUIC, WebRTC, name look-ups).
fn proxied_network() -> Result<Rules, BackendError> {
    let value = |value: libc::c_int| u64::from(value.cast_unsigned());
    let mut streams = all_but_streams(libc::AF_INET)?;
    // Kernels have others that look like TCP, on which Landlock keeps no eye (MPTCP, SCTP).
    let packets = SeccompCmpOp::MaskedEq(0xf);
    streams.push(rule([condition(1, packets, value(libc::SOCK_SEQPACKET))?])?);
    streams.push(rule([
        condition(2, SeccompCmpOp::Ne, 0)?,
        condition(2, SeccompCmpOp::Ne, value(libc::IPPROTO_TCP))?,
    ])?);
    let connecting = value(libc::MSG_FASTOPEN);
    let without_connect = |flags| -> Result<Vec<SeccompRule>, BackendError> {
        let flag = condition(flags, SeccompCmpOp::MaskedEq(connecting), connecting)?;
        Ok(vec![rule([flag])?])
    };
    Ok(Rules::from([
        (libc::SYS_socket, streams),
        (libc::SYS_socketpair, all_but_streams(libc::AF_UNIX)?),
        (libc::SYS_sendto, without_connect(3)?),
        (libc::SYS_sendmsg, without_connect(2)?),
        (libc::SYS_sendmmsg, without_connect(3)?),
    ]))
}

/// Any other family, and the kinds of sockets that need no connection: local ones send to any path, raw local ones are
/// datagram sockets. Sequenced packets stay, for programs that pair such sockets.
fn all_but_streams(family: libc::c_int) -> Result<Vec<SeccompRule>, BackendError> {
    let family = family.cast_unsigned().into();
    let mut refused = vec![rule([condition(0, SeccompCmpOp::Ne, family)?])?];
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        let kind = kind.cast_unsigned().into();
        refused.push(rule([condition(1, SeccompCmpOp::MaskedEq(0xf), kind)?])?);
    }
    Ok(refused)
}

/// Nothing that reaches processes outside the group, leaves it, hides from the parent's watch or outlives the child.
fn other_processes(description: &Description) -> Result<Rules, BackendError> {
    let own_group = (-getpgrp().as_raw_nonzero().get()).cast_unsigned().into();
    let forebears = [Some(description.parent), description.guarded];
    let to_forebears = forebears
        .into_iter()
        .flatten()
        .map(|process| rule([condition(0, SeccompCmpOp::Eq, process.into())?]))
        .collect::<Result<Vec<_>, BackendError>>()?;
    let to_other_groups = rule([
        condition(0, SeccompCmpOp::Ge, 1 << 31)?,
        condition(0, SeccompCmpOp::Ne, own_group)?,
    ])?;
    let to_others = rule([condition(0, SeccompCmpOp::Ne, 0)?])?;
    let any_of = |argument, mask: fn(u64) -> SeccompCmpOp, values: &[libc::c_int]| {
        let values = values.iter().map(|value| value.cast_unsigned().into());
        values
            .map(|value| rule([condition(argument, mask(value), value)?]))
            .collect::<Result<Vec<_>, BackendError>>()
    };
    let mut to_groups = to_forebears.clone();
    to_groups.push(to_other_groups);
    Ok(Rules::from([
        (libc::SYS_kill, to_groups),
        (libc::SYS_tgkill, to_forebears.clone()),
        (libc::SYS_rt_sigqueueinfo, to_forebears.clone()),
        (libc::SYS_rt_tgsigqueueinfo, to_forebears),
        (libc::SYS_prlimit64, vec![to_others]),
        (
            libc::SYS_clone,
            any_of(0, SeccompCmpOp::MaskedEq, &RELATIONS)?,
        ),
        (libc::SYS_prctl, any_of(0, |_| SeccompCmpOp::Eq, &PRCTL)?),
        (
            libc::SYS_fcntl,
            any_of(1, |_| SeccompCmpOp::Eq, &FILE_OWNERS)?,
        ),
        (libc::SYS_ioctl, any_of(1, |_| SeccompCmpOp::Eq, &IOCTL)?),
    ]))
}

/// No new process; a thread is none. Who is alone has nobody else to signal.
fn new_processes() -> Result<Rules, BackendError> {
    let thread = SeccompCmpOp::MaskedEq(libc::CLONE_THREAD.cast_unsigned().into());
    let to_others = |own: &[i32]| -> Result<Vec<SeccompRule>, BackendError> {
        let own = own.iter().map(|own| own.cast_unsigned().into());
        let others = own
            .map(|own| condition(0, SeccompCmpOp::Ne, own))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(vec![SeccompRule::new(others)?])
    };
    let own = getpid().as_raw_nonzero().get();
    let own_group = -getpgrp().as_raw_nonzero().get();
    let starting = STARTING.iter().map(|call| (*call, Vec::new()));
    let mut rules: Rules = starting.collect();
    rules.insert(libc::SYS_clone, vec![rule([condition(0, thread, 0)?])?]);
    rules.insert(libc::SYS_kill, to_others(&[0, own, own_group])?);
    for call in [
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        rules.insert(call, to_others(&[own])?);
    }
    Ok(rules)
}

fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into())
}

/// Compares the low half of an argument, which is all that the kernel looks at in these calls.
fn condition(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)
}

/// Flags of clone that make a namespace, in which the child would have capabilities again, or a child of the parent's, which
/// waits for none that it has not started: each would keep its number for good.
const RELATIONS: [libc::c_int; 8] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
    libc::CLONE_PARENT,
];

/// What lets a process outlive its parent, hide its files from it, or be traced.
const PRCTL: [libc::c_int; 4] = [
    libc::PR_SET_CHILD_SUBREAPER,
    libc::PR_SET_DUMPABLE,
    libc::PR_SET_PDEATHSIG,
    libc::PR_SET_PTRACER,
];

/// The older calls that start a process.
const STARTING: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Sets who is signalled when something happens to a file, with whatever signal: F_SETOWN, and F_SETOWN_EX (`linux/fcntl.h`).
const FILE_OWNERS: [libc::c_int; 2] = [libc::F_SETOWN, 15];

/// Pretends that somebody typed: TIOCSTI and TIOCLINUX (`linux/ioctls.h`). Sets who is signalled when something happens to a
/// socket: FIOSETOWN and SIOCSPGRP (`linux/sockios.h`).
const IOCTL: [libc::c_int; 4] = [0x5412, 0x541c, 0x8901, 0x8902];

/// Calls that no engine needs.
const FORBIDDEN: &[libc::c_long] = &[
    // Other processes, and leaving the process group.
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_tkill,
    // Others' share of the machine.
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpriority,
    // Memory that outlives the process or that no watch sees.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmat,
    libc::SYS_shmget,
    // Ways round these filters and into the kernel.
    libc::SYS_bpf,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_vmsplice,
    // Keys of the kernel's key ring.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Mounts, namespaces, and files by handle, which are outside every directory.
    libc::SYS_chroot,
    libc::SYS_fanotify_init,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_setns,
    libc::SYS_umount2,
    libc::SYS_unshare,
    // The machine itself.
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_nfsservctl,
    libc::SYS_personality,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // Numbers of the processor's architecture come last.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
];
