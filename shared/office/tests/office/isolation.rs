//! What becomes of a fork that misbehaves, and that nothing becomes of the zygote and the next document.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sandbox::{Limits, Outcome};
use serde_json::json;

use crate::rig::{MIB, Rig, answer, limits};

/// Runs an entry and shows that the same zygote converts the next document.
fn outcome(rig: &Rig, entry: &str, limits: Limits) -> Outcome {
    let never = AtomicBool::new(false);
    let finished = rig.ask_within(entry, json!(null), limits, &never).unwrap();
    rig.assert_good();
    finished.outcome
}

#[test]
fn a_fork_that_dies_harms_nobody() {
    let rig = Rig::new();
    rig.assert_good();
    let zygote = rig.process();
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
        assert_eq!(outcome(&rig, entry, limits), expected, "{entry}");
        assert_eq!(rig.process(), zygote, "{entry}");
    }
}

#[test]
fn a_fork_is_confined_as_any_other_child() {
    let rig = Rig::new();
    let found = answer(&rig.ask("surroundings", json!(null)).unwrap());
    assert_eq!(found["threads"], 1);
    assert_eq!(found["network"], false, "{found}");
    assert_eq!(found["connection"], "permission denied", "{found}");
    assert_eq!(found["temporary"], false, "{found}");
    assert_eq!(found["program"], false, "{found}");
    // Who watches it looks at its open files.
    assert_eq!(found["dumpable"], true, "{found}");
    let directory = found["directory"].as_str().unwrap();
    assert!(directory.starts_with(rig.base.path().to_str().unwrap()));
    // The directory that is listed is open while it is.
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
fn a_job_that_is_stopped_ends_at_once() {
    let rig = Rig::new();
    rig.assert_good();
    let stop = AtomicBool::new(false);
    let finished = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        rig.ask_within("sleep", json!(null), limits(), &stop)
            .unwrap()
    });
    assert_eq!(finished.outcome, Outcome::Stopped);
    rig.assert_good();
}
