//! Builds the commands that start sandboxed children and zygotes.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::job::{Job, Work};

/// First argument that makes an executable run as a sandboxed child.
pub(crate) const CHILD: &str = "sandboxed-child";
/// First argument that makes an executable run as a zygote.
pub(crate) const ZYGOTE: &str = "zygote";

/// The executable to start as the child; its `main` must call [`crate::child::enter`] first.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
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
        }
    }

    /// The executable.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The command that starts a child as leader of its own process group, without the parent's environment.
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

    /// The command that starts a zygote, without the parent's environment.
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
