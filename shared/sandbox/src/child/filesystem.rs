//! Landlock rules: file access and TCP ports of the child, on kernels that have Landlock.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, NetPort, RestrictionStatus,
    Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

use super::layer::granted;
use crate::channel::ChildSetup;
use crate::job::Network;

/// Newest Landlock ABI whose restrictions were tested. Older kernels apply the restrictions they support.
const TESTED: ABI = ABI::V7;

/// Programs and libraries.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"];

/// Configuration and system information that libraries read. Not all of `/etc`, which also contains password hashes and keys.
const SETTINGS: [&str; 26] = [
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/libreoffice",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/papersize",
    "/etc/passwd",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/var/cache/fontconfig",
    "/var/lib/ghostscript",
    "/var/lib/libreoffice",
    "/var/spool/libreoffice",
    "/dev/random",
    "/dev/urandom",
];

/// Device files with write access.
const DEVICES: [&str; 3] = ["/dev/full", "/dev/null", "/dev/zero"];

/// Restricts this process and returns the Landlock ABI version in force, 0 if none.
pub(super) fn restrict(setup: &ChildSetup) -> Result<u32, String> {
    Ok(match granted("Landlock", try_restrict(setup))? {
        Some(RestrictionStatus {
            ruleset: RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced,
            landlock: LandlockStatus::Available { effective_abi, .. },
            ..
        }) => effective_abi as u32,
        _ => 0,
    })
}

fn try_restrict(setup: &ChildSetup) -> Result<RestrictionStatus, RulesetError> {
    let read: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    let execute = read | AccessFs::Execute;
    let devices = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    // No execution in the scratch directory, and no device files, which would give access beyond it.
    let scratch = (AccessFs::from_write(TESTED) | read)
        & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    Ruleset::default()
        .handle_access(AccessFs::from_all(TESTED))?
        .handle_access(AccessNet::from_all(TESTED))?
        .scope(Scope::from_all(TESTED))?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, execute))?
        .add_rules(path_beneath_rules(launcher_directory(), execute))?
        .add_rules(path_beneath_rules(SETTINGS, read))?
        .add_rules(path_beneath_rules(DEVICES, devices))?
        .add_rules(path_beneath_rules(&setup.readable, read))?
        .add_rules(path_beneath_rules([&setup.scratch], scratch))?
        .add_rules(ports(setup.network))?
        .restrict_self()
}

/// The TCP port that may be connected to, at any address. Binding is denied.
fn ports(network: Network) -> Option<Result<NetPort, RulesetError>> {
    match network {
        Network::None => None,
        Network::Proxy(port) => Some(Ok(NetPort::new(port, AccessNet::ConnectTcp))),
    }
}

/// The directory of the launcher's executable, which also contains its libraries.
fn launcher_directory() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    executable.parent().map(Path::to_owned)
}
