//! What the child sees of the file system and of the network (Landlock), where the kernel has it.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, NetPort, RestrictionStatus,
    Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

use crate::channel::Description;
use crate::job::Network;

/// Newest interface whose restrictions were tested; older kernels grant what they know.
const TESTED: ABI = ABI::V7;

/// Programs and libraries.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"];

/// Settings and facts that libraries read. Not all of `/etc`: it holds password hashes and keys, too.
const SETTINGS: [&str; 25] = [
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
    "/var/lib/libreoffice",
    "/var/spool/libreoffice",
    "/dev/random",
    "/dev/urandom",
];

/// Devices that are written to.
const DEVICES: [&str; 3] = ["/dev/full", "/dev/null", "/dev/zero"];

/// Restricts this process; the version of the interface that is in force, 0 if none.
pub(super) fn restrict(description: &Description) -> u32 {
    match try_restrict(description) {
        Ok(RestrictionStatus {
            ruleset: RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced,
            landlock: LandlockStatus::Available { effective_abi, .. },
            ..
        }) => effective_abi as u32,
        _ => 0,
    }
}

fn try_restrict(description: &Description) -> Result<RestrictionStatus, RulesetError> {
    let read: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    let execute = read | AccessFs::Execute;
    let devices = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    // Nothing in there is executed, and device files would reach beyond it.
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
        .add_rules(path_beneath_rules(&description.readable, read))?
        .add_rules(path_beneath_rules([&description.scratch], scratch))?
        .add_rules(ports(description.network))?
        .restrict_self()
}

/// The one port that may be connected to, on whatever address; none may be bound.
fn ports(network: Network) -> Option<Result<NetPort, RulesetError>> {
    match network {
        Network::Nothing => None,
        Network::Proxy(port) => Some(Ok(NetPort::new(port, AccessNet::ConnectTcp))),
    }
}

/// Where the launcher's executable lies, and with it the libraries that it brings.
fn launcher_directory() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    executable.parent().map(Path::to_owned)
}
