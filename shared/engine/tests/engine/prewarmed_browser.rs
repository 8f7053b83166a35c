//! A browser that is begun before its document comes serves one document, and is missed by none when it is gone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use engine::Engines;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::endings::{processes_of, to_pdf};
use crate::zygote::has_ended;
use crate::{poppler, rig};

/// Says what it finds in the browser's stores and leaves something there.
const MARKS: &str = "<p id=p></p><script>
     const found = [localStorage.mark, sessionStorage.mark, document.cookie, window.name].join('');
     p.textContent = found ? 'found ' + found : 'nothing';
     localStorage.mark = sessionStorage.mark = window.name = 'marked'; document.cookie = 'mark=marked; max-age=9999';
   </script>";

/// Engines with a prewarmed browser in a directory of its own.
struct Own {
    engines: Engines,
    base: TempDir,
}

/// What became of a document.
struct Printed {
    text: String,
    sha256: String,
    /// Whether a browser was begun for it when it had come.
    late: bool,
}

impl Own {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let engines = rig::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
        let engines = engines.with_prewarmed_browser(base.path());
        Self { engines, base }
    }

    fn print(&self, document: &str) -> Printed {
        print(&self.engines, document)
    }

    /// The processes of the prewarmed browser, when there are a driver, a browser and a page's.
    fn prewarmed(&self) -> Vec<Pid> {
        let mut found = Vec::new();
        wait_until(|| {
            found = processes_in(self.base.path());
            found.len() >= 3
        });
        found
    }
}

fn print(engines: &Engines, document: &str) -> Printed {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("source.html");
    std::fs::write(&source, document).unwrap();
    let stop = AtomicBool::new(false);
    let made = to_pdf(engines, scratch.path(), &source, &stop).unwrap();
    assert_eq!(processes_of(scratch.path()), Vec::<String>::new());
    Printed {
        text: poppler::words(&made.path).join(" "),
        sha256: made.sha256,
        late: scratch.path().join("step-0/profile").exists(),
    }
}

/// The living processes of the groups of which one works in a directory below `base`, the oldest first.
fn processes_in(base: &Path) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let mut all: Vec<(i32, String, bool)> = numbers
        .filter_map(|number: i32| {
            let place = std::fs::read_link(format!("/proc/{number}/cwd")).unwrap_or_default();
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let (state, group) = (fields.next()?, fields.nth(1)?.to_owned());
            (state != "Z").then(|| (number, group, place.starts_with(base)))
        })
        .collect();
    all.sort();
    let ours = |group: &String| all.iter().any(|(_, of, here)| *here && of == group);
    let found = all.iter().filter(|(_, group, _)| ours(group));
    found
        .filter_map(|(number, _, _)| Pid::from_raw(*number))
        .collect()
}

fn directories_in(base: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(base).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn wait_until(mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < until, "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn each_serves_one_document_and_leaves_nothing_to_the_next() {
    let own = Own::new();
    let mut seen: Vec<Pid> = Vec::new();
    for _ in 0..3 {
        let (prewarmed, directories) = (own.prewarmed(), directories_in(own.base.path()));
        assert_eq!(directories.len(), 1);
        let shared: Vec<_> = prewarmed.iter().filter(|pid| seen.contains(pid)).collect();
        assert!(shared.is_empty(), "{shared:?}");
        seen.extend(&prewarmed);
        let printed = own.print(MARKS);
        assert_eq!((printed.text.as_str(), printed.late), ("nothing", false));
        assert!(!directories[0].exists());
        assert!(prewarmed.iter().all(|pid| has_ended(*pid)), "{prewarmed:?}");
    }
}

#[test]
fn it_prints_as_one_that_is_begun_when_the_document_comes() {
    let own = Own::new();
    let without = rig::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
    for document in [
        MARKS,
        "<h1>Gr\u{fc}\u{df}e</h1><p>\u{6f22}\u{5b57}<table><tr><td>a<td>b</table>",
    ] {
        let (early, late) = (own.print(document), print(&without, document));
        assert_eq!((early.late, late.late), (false, true));
        assert_eq!(early.sha256, late.sha256);
    }
}

#[test]
fn documents_that_come_at_once_share_none() {
    let own = Own::new();
    own.prewarmed();
    let printed: Vec<Printed> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(|| own.print(MARKS))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(printed.iter().all(|one| one.text == "nothing"));
    assert!(printed.iter().filter(|one| one.late).count() >= 1);
}

#[test]
fn one_that_is_not_begun_yet_is_waited_for() {
    let own = Own::new();
    assert!(!own.print(MARKS).late);
}

#[test]
fn a_document_does_without_one_that_has_died_and_the_next_has_another() {
    let own = Own::new();
    // The driver is the oldest.
    for victim in 0..3 {
        let prewarmed = own.prewarmed();
        kill_process(prewarmed[victim], Signal::KILL).unwrap();
        wait_until(|| has_ended(prewarmed[victim]));
        let printed = own.print(MARKS);
        assert_eq!(
            (printed.text.as_str(), printed.late),
            ("nothing", true),
            "{victim}"
        );
        let next = own.prewarmed();
        assert!(next.iter().all(|pid| !prewarmed.contains(pid)), "{victim}");
        assert!(!own.print(MARKS).late, "{victim}");
    }
}

#[test]
fn one_that_has_died_is_replaced_before_a_document_comes() {
    let own = Own::new();
    let prewarmed = own.prewarmed();
    kill_process(prewarmed[0], Signal::KILL).unwrap();
    wait_until(|| {
        let found = processes_in(own.base.path());
        found.len() >= 3 && found.iter().all(|pid| !prewarmed.contains(pid))
    });
    assert!(!own.print(MARKS).late);
}

/// As one that Lambda froze while it was begun.
#[test]
fn one_that_was_stopped_while_it_was_begun_is_waited_for_or_done_without() {
    for thawed in [true, false] {
        let own = Own::new();
        wait_until(|| processes_in(own.base.path()).len() == 2);
        let begun = processes_in(own.base.path());
        let signal = |signal| {
            begun
                .iter()
                .for_each(|pid| kill_process(*pid, signal).unwrap())
        };
        signal(Signal::STOP);
        std::thread::sleep(Duration::from_millis(300));
        if thawed {
            signal(Signal::CONT);
        }
        let printed = own.print(MARKS);
        assert_eq!((printed.text.as_str(), printed.late), ("nothing", !thawed));
        assert!(begun.iter().all(|pid| has_ended(*pid)), "{begun:?}");
    }
}

#[test]
fn hostile_documents_end_their_own_alone() {
    let own = Own::new();
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hostile.html");
    let script = "const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));";
    std::fs::write(&source, format!("<p>x<script>{script}</script>")).unwrap();
    let stop = AtomicBool::new(false);
    assert!(to_pdf(&own.engines, scratch.path(), &source, &stop).is_err());
    let printed = own.print(MARKS);
    assert_eq!((printed.text.as_str(), printed.late), ("nothing", false));
}

#[test]
fn nothing_is_left_when_the_engines_go() {
    let own = Own::new();
    own.prewarmed();
    let Own { engines, base } = own;
    let prewarmed = processes_in(base.path());
    drop(engines);
    wait_until(|| prewarmed.iter().all(|pid| has_ended(*pid)));
    wait_until(|| directories_in(base.path()).is_empty());
}

#[test]
fn nothing_is_alive_when_the_processor_is_killed() {
    let base = tempfile::tempdir().unwrap();
    let mut processor = Command::new(env!("CARGO_BIN_EXE_engine-child"))
        .arg(base.path())
        .env("PDFIUM_LIBRARY", rig::pdfium())
        .spawn()
        .unwrap();
    let since = Instant::now();
    while processes_in(base.path()).len() < 3 && since.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let prewarmed = processes_in(base.path());
    processor.kill().unwrap();
    processor.wait().unwrap();
    assert!(prewarmed.len() >= 3, "{prewarmed:?}");
    wait_until(|| prewarmed.iter().all(|pid| has_ended(*pid)));
    assert_eq!(sandbox::sweep_leftovers(base.path()).unwrap(), 1);
}
