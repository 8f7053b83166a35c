//! The zygote's side: begins LibreOffice, warms it up, and forks for each order.

mod profile;
mod warm;

use std::convert::Infallible;
use std::fs::File;
use std::io::stdin;
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::stdio::dup2_stdin;
use sandbox::{Entry, Job, Network, Overseer, harden_parent, run_forked};

pub use self::profile::FONTS;
pub(crate) use self::profile::lay_out;
use crate::kit::Kit;
use crate::protocol::{Answer, Ended, HEALTH, Order, Work};
use crate::socket::Socket;

/// First argument of an executable that is to become the zygote.
pub(crate) const MARKER: &str = "office-zygote";
/// Second argument: forks may begin although the network is not contained.
pub(crate) const WEAK: &str = "weak";

/// How long a thread that has ended may still be seen.
const GONE_WITHIN: Duration = Duration::from_secs(2);

/// What serves an entry in a fork, and answers with the fork's exit code.
pub type Serve<'a> = &'a dyn Fn(&Kit, Entry) -> u8;

/// Becomes the zygote if this process was started as one, and returns if not. To be called first thing in `main`, before
/// there are threads.
pub fn enter(serve: Serve<'_>) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != MARKER) {
        return;
    }
    let allow_weak = arguments.next().is_some_and(|argument| argument == WEAK);
    let installation = PathBuf::from(arguments.next().unwrap_or_default());
    let code = match Zygote::begin(&installation, allow_weak, serve) {
        Ok(zygote) => zygote.live(),
        Err(_) => 1,
    };
    std::process::exit(code)
}

/// The zygote, before it has begun LibreOffice.
struct Zygote<'a> {
    socket: Socket,
    home: PathBuf,
    installation: PathBuf,
    allow_weak: bool,
    serve: Serve<'a>,
}

impl<'a> Zygote<'a> {
    /// The connection is standard input, and the working directory is the zygote's own.
    fn begin(installation: &Path, allow_weak: bool, serve: Serve<'a>) -> std::io::Result<Self> {
        let socket = Socket::of(stdin().as_fd().try_clone_to_owned()?);
        dup2_stdin(File::open("/dev/null")?)?;
        Ok(Self {
            socket,
            home: std::env::current_dir()?,
            installation: installation.to_owned(),
            allow_weak,
            serve,
        })
    }

    /// Lives until the processor closes the connection; returns only if that cannot be.
    fn live(&self) -> i32 {
        let reason = match self.begin_office() {
            Ok(kit) => kit.run_loop(&mut || self.obey(&kit)),
            Err(reason) => reason,
        };
        self.fail(reason)
    }

    fn begin_office(&self) -> Result<Kit, String> {
        harden_parent().map_err(|error| error.to_string())?;
        Kit::begin(&self.installation, &self.home)
    }

    fn fail(&self, reason: String) -> i32 {
        self.socket.send(&Answer::Failed(reason)).ok();
        1
    }

    /// In LibreOffice's main loop: warms up, and then forks for each order until there is nobody who gives any.
    fn obey(&self, kit: &Kit) -> Infallible {
        let ready = warm::up(kit, &self.home)
            .and_then(|()| alone(kit))
            .and_then(|()| self.say(&Answer::Ready));
        let done = ready.and_then(|()| self.take_orders(kit));
        let code = done.map_or_else(|reason| self.fail(reason), |()| 0);
        // Whoever gave the orders may be gone without having removed it.
        std::fs::remove_dir_all(&self.home).ok();
        sandbox::end(code)
    }

    fn take_orders(&self, kit: &Kit) -> Result<(), String> {
        loop {
            match self.socket.receive().map_err(|error| error.to_string())? {
                None => return Ok(()),
                Some(Order::Run(work)) => {
                    self.say(&Answer::Taken)?;
                    self.say(&self.run(kit, *work))?;
                }
                // For a job that had ended by itself.
                Some(Order::Stop) => {}
            }
        }
    }

    fn say(&self, answer: &Answer) -> Result<(), String> {
        self.socket.send(answer).map_err(|error| error.to_string())
    }

    fn run(&self, kit: &Kit, work: Work) -> Answer {
        let mut readable = work.readable;
        readable.push(self.home.clone());
        let job = Job {
            work: sandbox::Work::Entry {
                name: work.entry,
                request: work.request,
            },
            scratch: &work.scratch,
            readable: &readable,
            network: Network::Nothing,
            limits: work.limits,
        };
        let serve = |entry| self.serve_in_fork(kit, entry);
        match run_forked(&job, self.allow_weak, self, &serve) {
            Ok(finished) => Answer::Ended(Ended::from(finished)),
            Err(error) => Answer::Refused(error.to_string()),
        }
    }

    /// In the fork, whose working directory is its scratch directory. LibreOffice has remembered the directories for
    /// temporary files that it made below the working directory (`TMPDIR` says so), which was the zygote's then.
    fn serve_in_fork(&self, kit: &Kit, entry: Entry) -> u8 {
        kit.in_fork();
        for directory in profile::temporary_directories(&self.home) {
            if std::fs::create_dir(directory).is_err() {
                return 1;
            }
        }
        match entry.name.as_str() {
            HEALTH => u8::from(!warm::is_well(kit)),
            _ => (self.serve)(kit, entry),
        }
    }
}

impl Overseer for Zygote<'_> {
    fn began(&self, leader: u32) {
        // The job's end is told in any case.
        self.socket.send(&Answer::Began(leader)).ok();
    }

    fn stops(&self) -> bool {
        self.socket
            .is_readable_within(Duration::ZERO)
            .unwrap_or(true)
    }
}

/// Makes sure that a fork leaves no thread behind, whose locks it would wait for. A thread that was waited for may be seen
/// for a moment longer.
fn alone(kit: &Kit) -> Result<(), String> {
    if !kit.join_threads() {
        return Err("LibreOffice does not end its threads".to_owned());
    }
    let since = Instant::now();
    loop {
        let names = sandbox::thread_names();
        if names.len() == 1 {
            return Ok(());
        }
        if since.elapsed() > GONE_WITHIN {
            return Err(format!("threads are left: {}", names.join(", ")));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
