//! Misbehaving forks end with the right outcome and do not affect the zygote or the next document.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sandbox::{Limits, Outcome};
use serde_json::json;

use crate::harness::{Harness, MIB, limits, output};

/// Runs an entry, then checks that the next document is converted.
fn outcome(harness: &Harness, entry: &str, limits: Limits) -> Outcome {
    let never = AtomicBool::new(false);
    let finished = harness
        .ask_within(entry, json!(null), limits, &never)
        .unwrap();
    harness.assert_good();
    finished.outcome
}

#[test]
fn a_zygote_is_replaced_after_a_fork_that_crashed_or_exceeded_a_limit() {
    let harness = Harness::new();
    harness.assert_good();
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
    let crashed = |signal| Outcome::Crashed { signal };
    for (entry, limits, expected, survives) in [
        ("segmentation fault", limits(), crashed(11), false),
        ("abort", limits(), crashed(6), false),
        ("silence", limits(), Outcome::Exited { code: 7 }, false),
        ("spin", short, Outcome::TimedOut, false),
        ("spin", brief, Outcome::TimedOut, false),
        ("sleep", short, Outcome::TimedOut, false),
        ("memory", small, Outcome::OutOfMemory, false),
        ("noise", limits(), Outcome::Exited { code: 0 }, true),
    ] {
        let zygote = harness.process();
        assert_eq!(outcome(&harness, entry, limits), expected, "{entry}");
        // After a crash the next zygote has a different address-space layout.
        assert_eq!(harness.process() == zygote, survives, "{entry}");
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
    // `/proc/` is the directory of this listing, `/usr/` contains LibreOffice's own files.
    for descriptor in found["descriptors"].as_array().unwrap() {
        let target = descriptor.as_str().unwrap();
        let known = ["/dev/null", "pipe:", "/proc/", "/usr/"]
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
