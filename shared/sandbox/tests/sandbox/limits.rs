//! Each exceeded limit ends the child with its own outcome.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::*;

fn outcome(name: &str) -> Outcome {
    run_hostile(entry(name, Value::Null), small()).outcome
}

#[test]
fn crashes_report_their_signal() {
    assert_eq!(
        outcome("segmentation fault"),
        Outcome::Crashed { signal: 11 }
    );
    assert_eq!(outcome("abort"), Outcome::Crashed { signal: 6 });
    assert_eq!(
        outcome("overflow the stack"),
        Outcome::Crashed { signal: 6 }
    );
    let program = run_hostile(shell("kill -SEGV $$"), small());
    assert_eq!(program.outcome, Outcome::Crashed { signal: 11 });
}

#[test]
fn hangs_end_at_the_wall_clock_limit() {
    let limits = Limits {
        wall: Duration::from_millis(300),
        ..small()
    };
    for work in [
        entry("sleep", Value::Null),
        shell("trap '' TERM INT HUP; while :; do sleep 1; done"),
        // Stopped processes do not end by themselves either.
        shell("kill -STOP $$"),
    ] {
        let finished = run_hostile(work, limits);
        assert_eq!(finished.outcome, Outcome::TimedOut);
        assert!(finished.wall >= limits.wall, "{finished:?}");
        assert!(finished.wall < Duration::from_secs(3), "{finished:?}");
    }
}

#[test]
fn cpu_time_is_limited_for_one_process_and_for_the_group() {
    let limits = Limits {
        cpu: Duration::from_secs(1),
        ..small()
    };
    let spinning = "while :; do :; done";
    for work in [
        entry("spin", Value::Null),
        shell(&format!("trap '' XCPU; {spinning}")),
        // None of these processes alone exceeds the limit.
        shell(&format!(
            "{spinning} & {spinning} & {spinning} & {spinning}"
        )),
    ] {
        let finished = run_hostile(work, limits);
        assert_eq!(finished.outcome, Outcome::TimedOut);
        assert!(
            finished.cpu >= limits.cpu / 2 && finished.cpu < Duration::from_secs(3),
            "{finished:?}"
        );
    }
}

#[test]
fn the_kernel_enforces_cpu_time_between_samples() {
    // The group's limit is far away, so the kernel's RLIMIT_CPU applies and sends SIGXCPU.
    let script = "ulimit -S -t 1; while :; do :; done";
    assert_eq!(
        run_hostile(shell(script), small()).outcome,
        Outcome::TimedOut
    );
}

#[test]
fn memory_is_limited() {
    let touched = run_hostile(entry("touch memory", Value::Null), small());
    assert_eq!(touched.outcome, Outcome::OutOfMemory);
    assert!(touched.peak_resident > 128 * MIB, "{touched:?}");
    assert!(touched.peak_resident < 900 * MIB, "{touched:?}");

    assert_eq!(outcome("one huge allocation"), Outcome::OutOfMemory);

    // Here the address space is exhausted before the parent takes a sample.
    let limits = Limits {
        address_space: 100 * MIB,
        resident: u64::MAX,
        ..small()
    };
    let finished = run_hostile(entry("touch memory", Value::Null), limits);
    assert_eq!(finished.outcome, Outcome::OutOfMemory);
    assert!(
        finished.stderr_tail.contains("memory allocation of"),
        "{}",
        finished.stderr_tail
    );
}

#[test]
fn memory_is_summed_over_the_group() {
    // Each process holds 60 MB in a shell variable: one is within the limit of 128 MiB, three are not.
    let hold = "x=$(head -c 60000000 /dev/zero | tr '\\0' x); sleep 1000";
    let one = Limits {
        wall: Duration::from_secs(2),
        ..small()
    };
    assert_eq!(run_hostile(shell(hold), one).outcome, Outcome::TimedOut);
    let three = format!("({hold}) & ({hold}) & {hold}");
    assert_eq!(
        run_hostile(shell(&three), small()).outcome,
        Outcome::OutOfMemory
    );
}

#[test]
fn processes_are_limited() {
    assert_eq!(
        run_hostile(entry("processes", json!(20)), small()).outcome,
        Outcome::OutOfMemory
    );
    // Unlike a real fork bomb it is bounded, so that the test ends even if the monitor fails.
    let many = "i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done; sleep 1000";
    assert_eq!(
        run_hostile(shell(many), small()).outcome,
        Outcome::OutOfMemory
    );
    assert_eq!(
        run_hostile(entry("threads", json!(1000)), small()).outcome,
        Outcome::OutOfMemory
    );
}

#[test]
fn the_disk_is_limited() {
    assert_eq!(outcome("one huge file"), Outcome::ScratchFull);
    assert_eq!(outcome("many small files"), Outcome::ScratchFull);
    // The entry itself reports the full disk.
    assert_eq!(outcome("a full disk"), Outcome::ScratchFull);

    let large_files = Limits {
        file_size: 4096 * MIB,
        wall: Duration::from_secs(5),
        ..small()
    };
    for name in ["one huge file", "one deleted file"] {
        let finished = run_hostile(entry(name, Value::Null), large_files);
        assert_eq!(finished.outcome, Outcome::ScratchFull, "{name}");
    }
}

#[test]
fn limit_signals_ignored_by_the_parent_still_end_the_child() {
    let scratch = Scratch::create(None).unwrap();
    let script = format!(
        "trap '' XFSZ; exec {FIXTURE} 'full file' {}",
        scratch.path().display()
    );
    let status = std::process::Command::new("/bin/sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "ScratchFull");
}

#[test]
fn the_stop_flag_ends_a_run_at_once() {
    let stop = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&stop);
    let raising = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        raise.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let scratch = Scratch::create(None).unwrap();
    let job = Job {
        work: entry("sleep", Value::Null),
        scratch: scratch.path(),
        readable: &[],
        network: Network::None,
        limits: small(),
    };
    let finished = run(&launcher(), &job, &stop).unwrap();
    assert_eq!(finished.outcome, Outcome::Stopped);
    assert!(raising.join().unwrap().elapsed() < Duration::from_secs(1));
    assert_eq!(processes_in(scratch.path()), Vec::<String>::new());
}
