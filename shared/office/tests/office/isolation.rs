//! Misbehaving forks end with the right outcome and do not affect the zygote or the next document.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sandbox::{Limits, Outcome};
use serde_json::json;

use crate::harness::{Harness, MIB, limits, output};

/// Runs an entry, then checks that the same zygote converts the next document.
fn outcome(harness: &Harness, entry: &str, limits: Limits) -> Outcome {
    let never = AtomicBool::new(false);
    let finished = harness
        .ask_within(entry, json!(null), limits, &never)
        .unwrap();
    harness.assert_good();
    finished.outcome
}

#[test]
fn a_failed_fork_does_not_affect_the_zygote() {
    let harness = Harness::new();
    harness.assert_good();
    let zygote = harness.process();
    let short = Limits {
        wall: Duration::from_millis(500),
        ..limits()
    };
    let small = Limits {
        resident: 400 * MIB,
        ..limits()
    };
    let brief = Limits {
        cpu: Duration::from_millis(300),
        ..limits()
    };
    for (entry, limits, expected) in [
        (
            "segmentation fault",
            limits(),
            Outcome::Crashed { signal: 11 },
        ),
        ("abort", limits(), Outcome::Crashed { signal: 6 }),
        ("silence", limits(), Outcome::Exited { code: 7 }),
        ("spin", short, Outcome::TimedOut),
        ("spin", brief, Outcome::TimedOut),
        ("sleep", short, Outcome::TimedOut),
        ("memory", small, Outcome::OutOfMemory),
        ("noise", limits(), Outcome::Exited { code: 0 }),
    ] {
        assert_eq!(outcome(&harness, entry, limits), expected, "{entry}");
        assert_eq!(harness.process(), zygote, "{entry}");
    }
}

#[test]
fn a_fork_is_confined_like_any_other_child() {
    let harness = Harness::new();
    let found = output(&harness.ask("environment", json!(null)).unwrap());
    assert_eq!(found["threads"], 1);
    assert_eq!(found["network"], false, "{found}");
    assert_eq!(found["connection"], "permission denied", "{found}");
    assert_eq!(found["temporary"], false, "{found}");
    assert_eq!(found["program"], false, "{found}");
    // The monitoring process reads its /proc/<pid>/fd.
    assert_eq!(found["dumpable"], true, "{found}");
    let directory = found["directory"].as_str().unwrap();
    assert!(directory.starts_with(harness.base.path().to_str().unwrap()));
    // `/proc/` is the directory of this listing.
    for descriptor in found["descriptors"].as_array().unwrap() {
        let target = descriptor.as_str().unwrap();
        let known = ["/dev/null", "pipe:", "/proc/"]
            .iter()
            .any(|start| target.starts_with(start));
        assert!(known, "{found}");
    }
    for variable in found["variables"].as_array().unwrap() {
        let name = variable.as_str().unwrap();
        assert!(
            !name.starts_with("AWS") && !name.starts_with("CARGO"),
            "{name}"
        );
    }
}

#[test]
fn a_stopped_job_ends_at_once() {
    let harness = Harness::new();
    harness.assert_good();
    let stop = AtomicBool::new(false);
    let finished = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        harness
            .ask_within("sleep", json!(null), limits(), &stop)
            .unwrap()
    });
    assert_eq!(finished.outcome, Outcome::Stopped);
    harness.assert_good();
}
