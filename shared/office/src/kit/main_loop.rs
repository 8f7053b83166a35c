//! LibreOffice's main loop, in this thread: calls a function once it is idle, and ends a process that waits for the answer to a dialog.

use std::cell::Cell;
use std::convert::Infallible;
use std::ffi::{c_int, c_void};
use std::time::Duration;

use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};

use super::interface::Office;

/// Number of main-loop calls with zero timeout (work pending) after which the loop counts as idle anyway.
const BUSY_CALLS: u32 = 1_000;
/// Maximum time of one wait in the main loop.
const TICK: Duration = Duration::from_millis(100);
/// After this time without progress, LibreOffice is assumed to wait for the answer to a dialog.
const DIALOG_TIMEOUT: Duration = Duration::from_secs(2);
/// CPU time, or time of waiting for a processor, that counts as progress: more than timers and cursors of a dialog use.
const PROGRESS: Duration = Duration::from_millis(50);

/// Exit code of a process in which LibreOffice opened a dialog about the document, for example whether to repair it. The
/// document is corrupt in such cases.
pub const EXIT_DIALOG: i32 = 122;

/// Runs the loop, and calls `serve` in it. Returns only on failure, with the reason.
pub(super) fn run(office: &Office, serve: &mut dyn FnMut() -> Infallible) -> String {
    let context = MainLoop {
        serve: Cell::new(Some(serve)),
        calls: Cell::new(0),
        waited: Cell::new(Duration::ZERO),
        worked: Cell::new(Duration::ZERO),
        delay: Cell::new(Duration::ZERO),
    };
    let context = std::ptr::from_ref(&context).cast_mut();
    match office.run_loop(poll, wake, context.cast()) {
        Some(()) => "the main loop of LibreOffice returned".to_owned(),
        None => "LibreOfficeKit has no main loop".to_owned(),
    }
}

/// State of the main loop's callbacks.
struct MainLoop<'a> {
    /// `None` after it was called.
    serve: Cell<Option<&'a mut dyn FnMut() -> Infallible>>,
    calls: Cell<u32>,
    /// Time waited since the last progress.
    waited: Cell<Duration>,
    /// CPU time at the last progress.
    worked: Cell<Duration>,
    /// [`delay_of_other_threads`] at the last timeout.
    delay: Cell<Duration>,
}

impl MainLoop<'_> {
    /// Waits for at most [`TICK`]. Exits the process if LibreOffice waits in a dialog, because only an answer would end it.
    fn wait(&self, microseconds: c_int) {
        let timeout = u64::try_from(microseconds).map_or(TICK, Duration::from_micros);
        let worked = cpu_time();
        if worked.saturating_sub(self.worked.get()) > PROGRESS {
            self.worked.set(worked);
            self.waited.set(Duration::ZERO);
        }
        self.waited.set(self.waited.get() + timeout.min(TICK));
        if self.waited.get() >= DIALOG_TIMEOUT {
            self.exit_unless_delayed();
        }
        std::thread::sleep(timeout.min(TICK));
    }

    /// On a busy computer, threads that import sheets may wait for a processor for long, which must not be taken for a dialog.
    fn exit_unless_delayed(&self) {
        let delay = delay_of_other_threads();
        if delay.abs_diff(self.delay.get()) <= PROGRESS {
            sandbox::exit_now(EXIT_DIALOG);
        }
        self.delay.set(delay);
        self.waited.set(Duration::ZERO);
    }
}

/// CPU time used by this process.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Time that the other threads of this process have waited for a processor, if the kernel counts it.
fn delay_of_other_threads() -> Duration {
    let own = gettid().as_raw_nonzero().to_string();
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let others = threads
        .flatten()
        .filter(|thread| thread.file_name() != *own);
    let nanoseconds = others.filter_map(|thread| {
        let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        times.split(' ').nth(1)?.parse().ok()
    });
    Duration::from_nanos(nanoseconds.fold(0, u64::saturating_add))
}

/// Poll callback: waits for events up to a time in microseconds; 0 means that work is pending. `serve` re-enters this function
/// during imports that run the main loop, such as loading spreadsheets.
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn poll(context: *mut c_void, microseconds: c_int) -> c_int {
    // SAFETY: the main loop passes the context it was given, which outlives the loop, and calls from one thread only.
    let context = unsafe { &*context.cast::<MainLoop<'_>>() };
    context.calls.set(context.calls.get().saturating_add(1));
    if microseconds == 0 && context.calls.get() < BUSY_CALLS {
        return 0;
    }
    let Some(serve) = context.serve.take() else {
        context.wait(microseconds);
        return 0;
    };
    #[expect(unreachable_code, reason = "`serve` never returns")]
    match serve() {}
}

/// Wake callback: no-op, because the loop polls at least every [`TICK`].
#[expect(unsafe_code, reason = "C code calls it")]
unsafe extern "C" fn wake(_: *mut c_void) {}
