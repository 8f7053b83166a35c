//! Seccomp-BPF filters: no network, no access to other processes, no kernel facilities that engines do not use.

mod always;

use std::collections::BTreeMap;

use rustix::process::{getpgrp, getpid};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::layer::granted;
use crate::channel::ChildSetup;
use crate::job::Network;

/// The errno for which the kernel skips the call and reports success. LibreOffice does not start unless it can listen on a
/// socket in `/tmp`; with fake success it starts, and no socket exists.
const FAKE_SUCCESS: i32 = 0;

/// Rules by system call. A call without rules always matches, a call with rules if any rule matches.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs the filters for this process and its descendants; returns whether all are in force.
pub(super) fn restrict(setup: &ChildSetup) -> Result<bool, String> {
    let programs = programs(setup).map_err(|error| format!("cannot build filters: {error}"))?;
    for program in &programs {
        if granted("seccomp", apply_filter(program))?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The BPF programs, one per errno, because a seccompiler program has a single errno. The kernel applies the strictest result.
fn programs(setup: &ChildSetup) -> Result<Vec<BpfProgram>, BackendError> {
    let network = match setup.network {
        Network::None => no_network()?,
        Network::Proxy(_) => proxy_only()?,
    };
    let mut programs = vec![
        x32_filter(),
        program(network, libc::EACCES)?,
        program(other_processes(setup)?, libc::EPERM)?,
        always::program(&always_denied())?,
    ];
    if setup.limits.single_process {
        programs.push(program(new_processes()?, libc::EPERM)?);
    }
    Ok(programs)
}

/// The calls that are denied regardless of arguments, with their errno.
fn always_denied() -> BTreeMap<libc::c_long, i32> {
    let forbidden = FORBIDDEN.iter().chain(ATTRIBUTES);
    let forbidden = forbidden.map(|call| (*call, libc::EPERM));
    let others = [
        (libc::SYS_bind, FAKE_SUCCESS),
        (libc::SYS_listen, FAKE_SUCCESS),
        // Programs set the mode of a file that they write, such as a copy, and give up on an error.
        (libc::SYS_fchmod, FAKE_SUCCESS),
        // A filter cannot see the flags of clone3, which are in memory. On ENOSYS the C library falls back to clone.
        (libc::SYS_clone3, libc::ENOSYS),
    ];
    forbidden.chain(others).collect()
}

/// Compiles a filter. A call under another architecture kills the process, because its numbers mean other calls.
fn program(rules: Rules, error: i32) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(error.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()
}

/// Denies the x32 ABI of x86-64 kernels: numbers from 2^30 on address every call a second time, under the same architecture
/// and past the other filters.
fn x32_filter() -> BpfProgram {
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

/// Allows only local stream sockets, and no connect: local services (for example a container engine) are addressed by path,
/// which a filter cannot see.
fn no_network() -> Result<Rules, BackendError> {
    let local = non_stream_sockets(libc::AF_UNIX)?;
    Ok(Rules::from([
        (libc::SYS_socket, local.clone()),
        (libc::SYS_socketpair, local),
        (libc::SYS_connect, Vec::new()),
    ]))
}

/// Allows only TCP over IPv4 and local socket pairs. Since no other local sockets can be created, every `connect` is TCP. UDP
/// is denied, and with it QUIC, WebRTC and DNS.
fn proxy_only() -> Result<Rules, BackendError> {
    let value = |value: libc::c_int| u64::from(value.cast_unsigned());
    let mut streams = non_stream_sockets(libc::AF_INET)?;
    // Landlock does not restrict MPTCP and SCTP, so deny them.
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
        (libc::SYS_socketpair, non_stream_sockets(libc::AF_UNIX)?),
        (libc::SYS_sendto, without_connect(3)?),
        (libc::SYS_sendmsg, without_connect(2)?),
        (libc::SYS_sendmmsg, without_connect(3)?),
    ]))
}

/// Matches all other families and the connectionless socket types: local datagram sockets can send to any path, and raw local
/// sockets are datagram sockets. SEQPACKET is not matched, because programs use it for socket pairs.
fn non_stream_sockets(family: libc::c_int) -> Result<Vec<SeccompRule>, BackendError> {
    let family = family.cast_unsigned().into();
    let mut refused = vec![rule([condition(0, SeccompCmpOp::Ne, family)?])?];
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        let kind = kind.cast_unsigned().into();
        refused.push(rule([condition(1, SeccompCmpOp::MaskedEq(0xf), kind)?])?);
    }
    Ok(refused)
}

/// Matches calls that affect processes outside the group, leave the group, hide from the parent's monitoring or outlive the
/// child.
fn other_processes(setup: &ChildSetup) -> Result<Rules, BackendError> {
    let own_group = (-getpgrp().as_raw_nonzero().get()).cast_unsigned().into();
    let ancestors = [Some(setup.parent), setup.protected_pid];
    let to_ancestors = ancestors
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
    let mut to_groups = to_ancestors.clone();
    to_groups.push(to_other_groups);
    Ok(Rules::from([
        (libc::SYS_kill, to_groups),
        (libc::SYS_tgkill, to_ancestors.clone()),
        (libc::SYS_rt_sigqueueinfo, to_ancestors.clone()),
        (libc::SYS_rt_tgsigqueueinfo, to_ancestors),
        (libc::SYS_prlimit64, vec![to_others]),
        (
            libc::SYS_clone,
            any_of(0, SeccompCmpOp::MaskedEq, &CLONE_FLAGS)?,
        ),
        (
            libc::SYS_prctl,
            any_of(0, |_| SeccompCmpOp::Eq, &PRCTL_OPTIONS)?,
        ),
        (
            libc::SYS_fcntl,
            any_of(1, |_| SeccompCmpOp::Eq, &FCNTL_COMMANDS)?,
        ),
        (
            libc::SYS_ioctl,
            any_of(1, |_| SeccompCmpOp::Eq, &IOCTL_REQUESTS)?,
        ),
    ]))
}

/// Matches calls that start a process (not a thread) or signal another process.
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
    let starting = FORK_CALLS.iter().map(|call| (*call, Vec::new()));
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

/// Compares the low 32 bits of an argument; the kernel ignores the high half in these calls.
fn condition(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)
}

/// Flags of clone that create a namespace, in which the child would have capabilities again, or a sibling (`CLONE_PARENT`),
/// which the parent would never reap.
const CLONE_FLAGS: [libc::c_int; 8] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
    libc::CLONE_PARENT,
];

/// prctl options that let a process outlive its parent, hide its files from it, or be traced.
const PRCTL_OPTIONS: [libc::c_int; 4] = [
    libc::PR_SET_CHILD_SUBREAPER,
    libc::PR_SET_DUMPABLE,
    libc::PR_SET_PDEATHSIG,
    libc::PR_SET_PTRACER,
];

/// The older system calls that start a process.
const FORK_CALLS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Calls that change owner, mode, times or extended attributes of files: files that the child may only read could otherwise
/// be made writable for it, or unreadable for later children.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fremovexattr,
    libc::SYS_fsetxattr,
    libc::SYS_lremovexattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_setxattr,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    // setxattrat, removexattrat and file_setattr, with one number on every architecture (asm-generic/unistd.h).
    463,
    466,
    469,
];

/// fcntl commands that set the process to signal on file events, with any signal: F_SETOWN, F_SETOWN_EX (`linux/fcntl.h`).
const FCNTL_COMMANDS: [libc::c_int; 2] = [libc::F_SETOWN, 15];

/// ioctl requests that inject terminal input: TIOCSTI, TIOCLINUX (`linux/ioctls.h`); and that set the process to signal on
/// socket events: FIOSETOWN, SIOCSPGRP (`linux/sockios.h`); and that change file attributes: FS_IOC_SETFLAGS,
/// FS_IOC_FSSETXATTR (`linux/fs.h`).
const IOCTL_REQUESTS: [libc::c_int; 6] = [0x5412, 0x541c, 0x8901, 0x8902, 0x4008_6602, 0x401c_5820];

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
    // Scheduling and memory placement of other processes.
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpriority,
    // Memory that outlives the process or is not accounted to it.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmat,
    libc::SYS_shmget,
    // Bypasses of these filters, and kernel attack surface.
    libc::SYS_bpf,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_vmsplice,
    // Kernel keyrings.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Mounts, namespaces, and file handles, which bypass directory permissions.
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
    // System administration.
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
    // x86-64 only.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
];
