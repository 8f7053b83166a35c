//! The zygote's own life: it begins once, dies when it must, and has a successor.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use office::OfficeError;
use rustix::process::{Pid, Signal, kill_process};
use sandbox::{Launcher, Limits, Outcome};
use serde_json::json;

use crate::rig::{Rig, limits};

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
            "it does not come"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn it_is_started_once_and_serves_every_job() {
    let rig = Rig::new();
    rig.zygote.warm_up().unwrap();
    rig.assert_good();
    let zygote = rig.process();
    rig.assert_good();
    assert_eq!(rig.process(), zygote);
}

#[test]
fn a_killed_zygote_takes_its_job_along_and_has_a_successor() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_until(|| rig.processes().len() == 2);
            kill(zygote);
        });
        rig.ask("sleep", json!(null)).unwrap_err()
    });
    assert!(matches!(error, OfficeError::Died), "{error}");
    // The fork is gone, and the successor has begun without being asked.
    let successor = rig.process();
    assert_ne!(successor, zygote);
    rig.assert_good();
    assert_eq!(rig.process(), successor);
}

#[test]
fn a_zygote_that_dies_between_jobs_is_replaced_before_the_next() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
    kill(zygote);
    wait_until(|| rig.processes().is_empty());
    rig.assert_good();
    assert_ne!(rig.process(), zygote);
}

#[test]
fn a_job_that_a_dying_zygote_did_not_take_goes_to_its_successor() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
    send(zygote, Signal::STOP);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Long enough for the job to be sent; it is served either way.
            std::thread::sleep(Duration::from_millis(200));
            kill(zygote);
        });
        rig.assert_good();
    });
    assert_ne!(rig.process(), zygote);
}

#[test]
fn a_zygote_that_dies_while_it_starts_is_replaced_for_the_job() {
    let rig = Rig::new();
    rig.zygote.warm_up().unwrap();
    wait_until(|| rig.processes().len() == 1);
    kill(rig.process());
    rig.assert_good();
}

#[test]
fn one_whose_forks_die_again_and_again_is_replaced() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
    for _ in 0..3 {
        let died = rig.ask("abort", json!(null)).unwrap();
        assert_eq!(died.outcome, Outcome::Crashed { signal: 6 });
        assert_eq!(rig.process(), zygote);
    }
    rig.assert_good();
    assert_ne!(rig.process(), zygote);
}

#[test]
fn one_whose_forks_run_out_of_time_shows_that_it_is_well() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
    let short = Limits {
        wall: Duration::from_millis(500),
        ..limits()
    };
    let never = AtomicBool::new(false);
    for _ in 0..3 {
        let slow = rig.ask_within("sleep", json!(null), short, &never).unwrap();
        assert_eq!(slow.outcome, Outcome::TimedOut);
        assert_eq!(rig.process(), zygote);
    }
    rig.assert_good();
    assert_ne!(rig.process(), zygote);
}

#[test]
fn nothing_is_left_of_it() {
    let rig = Rig::new();
    rig.assert_good();
    let Rig { zygote, base } = rig;
    let rig = Rig {
        zygote: office::Zygote::new(Launcher::current(), Path::new("/"), base.path()),
        base,
    };
    drop(zygote);
    assert_eq!(rig.processes(), Vec::<u32>::new());
    assert_eq!(rig.left(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn an_executable_that_is_no_zygote_is_not_waited_for() {
    let rig = Rig::started_by(Launcher::new(Path::new("/bin/true")));
    rig.zygote.warm_up().unwrap();
    let error = rig.zygote.await_ready(&AtomicBool::new(false)).unwrap_err();
    let OfficeError::NotReady(reason) = error else {
        panic!("{error}");
    };
    assert_eq!(reason, "it has ended");
    assert_eq!(rig.left(), Vec::<std::path::PathBuf>::new());
    let never = AtomicBool::new(false);
    let job = rig.ask_within("abort", json!(null), limits(), &never);
    assert!(matches!(job, Err(OfficeError::NotReady(_))));
}
