//! The zygote's side: initializes LibreOffice, warms it up, and forks for each job.

mod font_substitutes;
mod open_files;
mod profile;
mod sealed;
mod warm;

use std::convert::Infallible;
use std::fs::File;
use std::io::stdin;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::stdio::dup2_stdin;
use sandbox::{Entry, Job, Network, Supervisor, harden_parent, run_forked};

pub use self::font_substitutes::font_substitutes;
use self::open_files::OpenFiles;

pub(crate) use self::profile::write_profile;
use self::sealed::SealedProfile;
use crate::kit::LibreOfficeKit;
use crate::protocol::{JobResult, Request, Response, Work};
use crate::socket::Socket;

/// First argument that makes an executable run as the zygote.
pub(crate) const MARKER: &str = "office-zygote";

/// Maximum time until a joined thread disappears from /proc.
const THREAD_EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves an entry in a fork and returns the fork's exit code.
pub type Serve<'a> = &'a dyn Fn(&LibreOfficeKit, Entry) -> u8;

/// Runs the zygote if this process was started as one; otherwise returns. Must be called first in `main`, before any thread
/// is started.
pub fn enter(serve: Serve<'_>) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != MARKER) {
        return;
    }
    let installation = PathBuf::from(arguments.next().unwrap_or_default());
    let code = match Zygote::from_stdin(&installation, serve) {
        Ok(zygote) => zygote.run(),
        Err(_) => 1,
    };
    std::process::exit(code)
}

/// The zygote's connection and configuration.
struct Zygote<'a> {
    socket: Socket,
    home: PathBuf,
    installation: PathBuf,
    serve: Serve<'a>,
}

impl<'a> Zygote<'a> {
    /// Takes the connection from standard input; the working directory is the zygote's own directory.
    fn from_stdin(installation: &Path, serve: Serve<'a>) -> std::io::Result<Self> {
        let socket = Socket::of(stdin().as_fd().try_clone_to_owned()?);
        dup2_stdin(File::open("/dev/null")?)?;
        Ok(Self {
            socket,
            home: std::env::current_dir()?,
            installation: installation.to_owned(),
            serve,
        })
    }

    /// Runs until the engine function closes the connection, then exits. Returns only on failure, with the exit code.
    fn run(&self) -> i32 {
        let reason = match self.init_office() {
            Ok(kit) => kit.run_loop(&mut || self.serve_in_main_loop(&kit)),
            Err(reason) => reason,
        };
        self.fail(reason)
    }

    fn init_office(&self) -> Result<LibreOfficeKit, String> {
        harden_parent();
        LibreOfficeKit::init(&self.installation, &self.home)
    }

    fn fail(&self, reason: String) -> i32 {
        self.socket.send(&Response::NotReady(reason)).ok();
        1
    }

    /// Called in LibreOffice's main loop: warms up, then serves requests until the connection is closed, and exits.
    fn serve_in_main_loop(&self, kit: &LibreOfficeKit) -> Infallible {
        let done = self.prepare(kit).and_then(|(sealed, open_files)| {
            self.send(&Response::Ready(kit.version()))?;
            self.serve_requests(kit, &sealed, &open_files)
        });
        let code = done.map_or_else(|reason| self.fail(reason), |()| 0);
        // The engine function may have died without removing the directory.
        sandbox::remove_tree(&self.home).ok();
        sandbox::exit_now(code)
    }

    fn prepare(&self, kit: &LibreOfficeKit) -> Result<(SealedProfile, OpenFiles), String> {
        warm::warm_up(kit, &self.home)?;
        join_threads(kit)?;
        let sealed = SealedProfile::seal(&self.home);
        let sealed = sealed.map_err(|error| format!("the profile: {error}"))?;
        let open_files = OpenFiles::list(&self.home);
        Ok((sealed, open_files.map_err(|error| error.to_string())?))
    }

    fn serve_requests(
        &self,
        kit: &LibreOfficeKit,
        profile: &SealedProfile,
        open_files: &OpenFiles,
    ) -> Result<(), String> {
        loop {
            match self.socket.receive().map_err(|error| error.to_string())? {
                None => return Ok(()),
                Some(Request::Run(_)) if !profile.is_unchanged() => {
                    return self.send(&Response::ProfileChanged);
                }
                Some(Request::Run(work)) => {
                    self.send(&Response::Accepted)?;
                    self.send(&self.run_job(kit, *work, open_files))?;
                }
                // The message is for a job that has ended meanwhile.
                Some(Request::Stop) => {}
            }
        }
    }

    fn send(&self, response: &Response) -> Result<(), String> {
        self.socket
            .send(response)
            .map_err(|error| error.to_string())
    }

    fn run_job(&self, kit: &LibreOfficeKit, work: Work, open_files: &OpenFiles) -> Response {
        let mut readable = work.readable;
        readable.push(self.home.clone());
        let job = Job {
            work: sandbox::Work::Entry {
                name: work.entry,
                request: work.request,
            },
            scratch: &work.scratch,
            readable: &readable,
            network: Network::None,
            limits: work.limits,
        };
        let serve = |entry| {
            open_files.reopen();
            self.serve_in_fork(kit, entry)
        };
        match run_forked(&job, self, &serve) {
            Ok(finished) => Response::Finished(JobResult::from(finished)),
            Err(error) => Response::Failed(error.to_string()),
        }
    }

    /// Serves an entry in the fork. LibreOffice has stored the relative names of temporary directories that it created in the
    /// zygote's working directory (`TMPDIR` is `/proc/self/cwd`); they are created again in the fork's scratch directory.
    fn serve_in_fork(&self, kit: &LibreOfficeKit, entry: Entry) -> u8 {
        kit.set_forked_child();
        for directory in profile::temporary_directories(&self.home) {
            if std::fs::create_dir(directory).is_err() {
                return 1;
            }
        }
        (self.serve)(kit, entry)
    }
}

impl Supervisor for Zygote<'_> {
    fn started(&self, leader: u32) {
        // Best effort; the end of the job is reported separately.
        self.socket.send(&Response::Started(leader)).ok();
    }

    fn should_stop(&self) -> bool {
        self.socket
            .is_readable_within(Duration::ZERO)
            .unwrap_or(true)
    }
}

/// Ends all other threads, because a fork would wait for locks that they hold. Joined threads stay visible in /proc for a
/// moment.
fn join_threads(kit: &LibreOfficeKit) -> Result<(), String> {
    if !kit.join_threads() {
        return Err("LibreOffice did not end its threads".to_owned());
    }
    let since = Instant::now();
    loop {
        let names = sandbox::thread_names();
        if names.len() == 1 {
            return Ok(());
        }
        if since.elapsed() > THREAD_EXIT_TIMEOUT {
            return Err(format!("threads are still running: {}", names.join(", ")));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
