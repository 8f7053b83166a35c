//! The executable that becomes a sandboxed child.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::job::{Job, Work};

/// First argument of an executable that is to become a sandboxed child.
pub(crate) const CHILD: &str = "sandboxed-child";
/// First argument of an executable that is to become a zygote.
pub(crate) const ZYGOTE: &str = "zygote";

/// Which executable is started as the child: one whose `main` calls [`crate::child::enter`] first thing.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
    allow_weak: bool,
}

impl Launcher {
    /// The running executable itself, even if its file is replaced meanwhile.
    #[must_use]
    pub fn current() -> Self {
        Self::new(Path::new("/proc/self/exe"))
    }

    /// Another executable.
    #[must_use]
    pub fn new(program: &Path) -> Self {
        Self {
            program: program.to_owned(),
            allow_weak: false,
        }
    }

    /// Lets work begin although the network is not contained, where something else contains it (a subnet without a
    /// route). Without this such a child refuses to begin.
    #[must_use]
    pub fn allow_weak(mut self, allow: bool) -> Self {
        self.allow_weak = allow;
        self
    }

    /// Whether [`Launcher::allow_weak`] holds.
    #[must_use]
    pub fn weak_is_allowed(&self) -> bool {
        self.allow_weak
    }

    /// The executable.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// What starts the child with an environment that holds nothing of the parent's, as leader of its own process group.
    pub(crate) fn child(&self, job: &Job<'_>, channel: std::fs::File, stdout: Stdio) -> Command {
        let mut command = self.command();
        command.arg0("sandboxed").arg(CHILD);
        command.env("HOME", job.scratch).env("TMPDIR", job.scratch);
        if let Work::Program { env, .. } = &job.work {
            command.envs(env.iter().map(|(name, value)| (name, value)));
        }
        command.process_group(0).stdin(channel);
        command.stdout(stdout).stderr(Stdio::piped());
        command
    }

    /// What starts a zygote, with as little of the parent's.
    pub(crate) fn zygote(&self, preparation: &Path, connection: OwnedFd) -> Command {
        let mut command = self.command();
        command.arg0("zygote").arg(ZYGOTE).arg(preparation);
        command.current_dir("/").stdin(connection);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("LANG", "C.UTF-8");
        command
    }
}
