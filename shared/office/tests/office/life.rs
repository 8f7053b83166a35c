//! Life cycle of the zygote: started once, replaced when it dies or becomes suspicious, and cleaned up.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use office::OfficeError;
use rustix::process::{Pid, Signal, kill_process};
use sandbox::zygote::MAX_FORKS;
use sandbox::{Launcher, Outcome};
use serde_json::json;

use crate::harness::{Harness, limits};

fn kill(process: u32) {
    send(process, Signal::KILL);
}

fn send(process: u32, signal: Signal) {
    let process = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(process, signal).unwrap();
}

fn wait_until(done: impl Fn() -> bool) {
    let since = Instant::now();
    while !done() {
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "the condition was not met within 20 s"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn one_zygote_serves_every_job() {
    let harness = Harness::new();
    harness.zygote.warm_up().unwrap();
    harness.assert_good();
    let zygote = harness.process();
    harness.assert_good();
    assert_eq!(harness.process(), zygote);
}

#[test]
fn the_job_of_a_killed_zygote_ends_and_the_next_one_has_a_new_zygote() {
    let harness = Harness::new();
    harness.assert_good();
    let zygote = harness.process();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_until(|| harness.processes().len() == 2);
            kill(zygote);
        });
        harness.ask("sleep", json!(null)).unwrap_err()
    });
    assert!(matches!(error, OfficeError::Died), "{error}");
    // The fork has ended, too.
    wait_until(|| harness.processes().is_empty());
    harness.assert_good();
    assert_ne!(harness.process(), zygote);
}

#[test]
fn a_zygote_that_dies_between_jobs_is_replaced_before_the_next() {
    let harness = Harness::new();
    harness.assert_good();
    let zygote = harness.process();
    kill(zygote);
    wait_until(|| harness.processes().is_empty());
    harness.assert_good();
    assert_ne!(harness.process(), zygote);
}

#[test]
fn a_job_that_a_dying_zygote_did_not_accept_is_retried() {
    let harness = Harness::new();
    harness.assert_good();
    let zygote = harness.process();
    send(zygote, Signal::STOP);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Long enough for the job to be sent; it succeeds in either case.
            std::thread::sleep(Duration::from_millis(200));
            kill(zygote);
        });
        harness.assert_good();
    });
    assert_ne!(harness.process(), zygote);
}

#[test]
fn a_zygote_that_dies_during_start_up_is_replaced() {
    let harness = Harness::new();
    harness.zygote.warm_up().unwrap();
    wait_until(|| harness.processes().len() == 1);
    kill(harness.process());
    harness.assert_good();
}

#[test]
fn a_zygote_serves_a_bounded_number_of_forks() {
    let harness = Harness::new();
    harness.assert_good();
    let first = harness.process();
    for _ in 1..MAX_FORKS {
        assert_eq!(harness.process(), first);
        let finished = harness.ask("noise", json!(null)).unwrap();
        assert_eq!(finished.outcome, Outcome::Exited { code: 0 });
    }
    assert_ne!(harness.process(), first);
    harness.assert_good();
}

#[test]
fn a_dropped_zygote_leaves_nothing_behind() {
    let harness = Harness::new();
    harness.assert_good();
    let Harness { zygote, base } = harness;
    let harness = Harness {
        zygote: office::Zygote::new(Launcher::current(), Path::new("/"), base.path()),
        base,
    };
    drop(zygote);
    assert_eq!(harness.processes(), Vec::<u32>::new());
    assert_eq!(harness.leftovers(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn an_executable_that_does_not_act_as_a_zygote_is_detected() {
    let harness = Harness::with_launcher(Launcher::new(Path::new("/bin/true")));
    harness.zygote.warm_up().unwrap();
    let error = harness
        .zygote
        .await_ready(&AtomicBool::new(false))
        .unwrap_err();
    let OfficeError::NotReady(reason) = error else {
        panic!("{error}");
    };
    assert_eq!(reason, "it exited");
    assert_eq!(harness.leftovers(), Vec::<std::path::PathBuf>::new());
    let never = AtomicBool::new(false);
    let job = harness.ask_within("abort", json!(null), limits(), &never);
    assert!(matches!(job, Err(OfficeError::NotReady(_))));
}
