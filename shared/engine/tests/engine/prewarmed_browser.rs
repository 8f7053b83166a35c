//! The prewarmed browser serves one document, and documents are converted without it if it has died.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use engine::Engines;
use rustix::process::{Pid, Signal, kill_process};
use task::expected_text::SOURCE_TEXT_FILE;
use tempfile::TempDir;

use crate::job_outcomes::{processes_of, to_pdf};
use crate::zygote::has_ended;
use crate::{harness, poppler};

/// Prints the contents of the browser's stores and writes a mark to them.
const MARKS: &str = "<p id=p></p><script>
     const found = [localStorage.mark, sessionStorage.mark, document.cookie, window.name].join('');
     p.textContent = found ? 'found ' + found : 'nothing';
     localStorage.mark = sessionStorage.mark = window.name = 'marked'; document.cookie = 'mark=marked; max-age=9999';
   </script>";

/// Engines with a prewarmed browser in their own directory.
struct PrewarmedEngines {
    engines: Engines,
    base: TempDir,
}

/// Result of a document.
struct Printed {
    text: String,
    sha256: String,
    /// Whether a new browser was started for the document.
    is_new_browser: bool,
}

impl PrewarmedEngines {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let engines = harness::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
        let engines = engines.with_prewarmed_browser(base.path());
        Self { engines, base }
    }

    fn print(&self, document: &str) -> Printed {
        print(&self.engines, document)
    }

    /// The processes of the prewarmed browser: at least driver, browser and renderer.
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
    let result = to_pdf(engines, scratch.path(), &source, &stop).unwrap();
    assert!(result.path.with_file_name(SOURCE_TEXT_FILE).is_file());
    assert_eq!(processes_of(scratch.path()), Vec::<String>::new());
    Printed {
        text: poppler::words(&result.path).join(" "),
        sha256: result.sha256,
        is_new_browser: scratch.path().join("step-0/profile").exists(),
    }
}

/// The live processes of all process groups with a member working below `base`, oldest first.
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
        assert!(Instant::now() < until, "timed out");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn each_browser_serves_one_document_without_leaking_state() {
    let engines = PrewarmedEngines::new();
    let mut decoded: Vec<Pid> = Vec::new();
    for _ in 0..3 {
        let (prewarmed, directories) = (engines.prewarmed(), directories_in(engines.base.path()));
        assert_eq!(directories.len(), 1);
        let shared: Vec<_> = prewarmed
            .iter()
            .filter(|pid| decoded.contains(pid))
            .collect();
        assert!(shared.is_empty(), "{shared:?}");
        decoded.extend(&prewarmed);
        let printed = engines.print(MARKS);
        assert_eq!(
            (printed.text.as_str(), printed.is_new_browser),
            ("nothing", false)
        );
        assert!(!directories[0].exists());
        assert!(prewarmed.iter().all(|pid| has_ended(*pid)), "{prewarmed:?}");
    }
}

#[test]
fn output_equals_that_of_a_new_browser() {
    let engines = PrewarmedEngines::new();
    let without = harness::started_by(Path::new(env!("CARGO_BIN_EXE_engine-child")));
    for document in [
        MARKS,
        "<h1>Gr\u{fc}\u{df}e</h1><p>\u{6f22}\u{5b57}<table><tr><td>a<td>b</table>",
    ] {
        let (prewarmed, new) = (engines.print(document), print(&without, document));
        assert_eq!(
            (prewarmed.is_new_browser, new.is_new_browser),
            (false, true)
        );
        assert_eq!(prewarmed.sha256, new.sha256);
    }
}

#[test]
fn concurrent_documents_share_no_browser() {
    let engines = PrewarmedEngines::new();
    engines.prewarmed();
    let printed: Vec<Printed> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| engines.print(MARKS)))
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(printed.iter().all(|one| one.text == "nothing"));
    assert!(printed.iter().filter(|one| one.is_new_browser).count() >= 1);
}

#[test]
fn starting_browser_is_awaited() {
    let engines = PrewarmedEngines::new();
    assert!(!engines.print(MARKS).is_new_browser);
}

#[test]
fn dead_browser_is_bypassed_and_replaced() {
    let engines = PrewarmedEngines::new();
    // The driver is the oldest process.
    for victim in 0..3 {
        let prewarmed = engines.prewarmed();
        kill_process(prewarmed[victim], Signal::KILL).unwrap();
        wait_until(|| has_ended(prewarmed[victim]));
        let printed = engines.print(MARKS);
        assert_eq!(
            (printed.text.as_str(), printed.is_new_browser),
            ("nothing", true),
            "{victim}"
        );
        let next = engines.prewarmed();
        assert!(next.iter().all(|pid| !prewarmed.contains(pid)), "{victim}");
        assert!(!engines.print(MARKS).is_new_browser, "{victim}");
    }
}

#[test]
fn dead_browser_is_replaced_by_the_watcher() {
    let engines = PrewarmedEngines::new();
    let prewarmed = engines.prewarmed();
    kill_process(prewarmed[0], Signal::KILL).unwrap();
    wait_until(|| {
        let found = processes_in(engines.base.path());
        found.len() >= 3 && found.iter().all(|pid| !prewarmed.contains(pid))
    });
    assert!(!engines.print(MARKS).is_new_browser);
}

/// Like one that Lambda froze while it was starting.
#[test]
fn frozen_starting_browser_is_awaited_or_bypassed() {
    for thawed in [true, false] {
        let engines = PrewarmedEngines::new();
        wait_until(|| processes_in(engines.base.path()).len() == 2);
        let started = processes_in(engines.base.path());
        let signal = |signal| {
            started
                .iter()
                .for_each(|pid| kill_process(*pid, signal).unwrap())
        };
        signal(Signal::STOP);
        std::thread::sleep(Duration::from_millis(300));
        if thawed {
            signal(Signal::CONT);
        }
        let printed = engines.print(MARKS);
        assert_eq!(
            (printed.text.as_str(), printed.is_new_browser),
            ("nothing", !thawed)
        );
        assert!(started.iter().all(|pid| has_ended(*pid)), "{started:?}");
    }
}

#[test]
fn hostile_documents_kill_only_their_own_browser() {
    let engines = PrewarmedEngines::new();
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hostile.html");
    let script = "const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));";
    std::fs::write(&source, format!("<p>x<script>{script}</script>")).unwrap();
    let stop = AtomicBool::new(false);
    assert!(to_pdf(&engines.engines, scratch.path(), &source, &stop).is_err());
    let printed = engines.print(MARKS);
    assert_eq!(
        (printed.text.as_str(), printed.is_new_browser),
        ("nothing", false)
    );
}

#[test]
fn dropping_the_engines_stops_the_browser() {
    let engines = PrewarmedEngines::new();
    engines.prewarmed();
    let PrewarmedEngines { engines, base } = engines;
    let prewarmed = processes_in(base.path());
    drop(engines);
    wait_until(|| prewarmed.iter().all(|pid| has_ended(*pid)));
    wait_until(|| directories_in(base.path()).is_empty());
}

#[test]
fn killing_the_function_kills_the_browser() {
    let base = tempfile::tempdir().unwrap();
    let mut function = Command::new(env!("CARGO_BIN_EXE_engine-child"))
        .arg(base.path())
        .env("PDFIUM_LIBRARY", harness::pdfium())
        .spawn()
        .unwrap();
    let since = Instant::now();
    while processes_in(base.path()).len() < 3 && since.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let prewarmed = processes_in(base.path());
    function.kill().unwrap();
    function.wait().unwrap();
    assert!(prewarmed.len() >= 3, "{prewarmed:?}");
    wait_until(|| prewarmed.iter().all(|pid| has_ended(*pid)));
    assert_eq!(sandbox::remove_stale_scratch(base.path()).unwrap(), 1);
}
