//! A fork cannot change the profile, or else no later document uses what it changed; also under the restrictions of AWS Lambda.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::harness::{Harness, RTF, output};
use crate::jail;

/// What a fork or another process changes.
const CHANGES: [&str; 3] = ["content", "permissions", "a new file"];

/// Runs a fork that tries to change the profile; returns the results of its steps.
fn change(harness: &Harness, what: &str) -> Value {
    let request = json!({"home": harness.home(), "what": what});
    output(&harness.ask("change", request).unwrap())
}

#[test]
fn a_confined_fork_cannot_change_the_profile() {
    let harness = Harness::new();
    harness.assert_good();
    let zygote = harness.process();
    for what in CHANGES {
        let steps = change(&harness, what);
        let steps = steps.as_array().unwrap();
        assert!(steps.iter().all(|step| step == false), "{what}: {steps:?}");
        harness.assert_good();
        assert_eq!(harness.process(), zygote, "{what}");
    }
}

#[test]
fn a_zygote_with_a_changed_profile_is_replaced_before_the_next_document() {
    // Filters apply to this thread and to the processes that it starts.
    let restricted = std::thread::spawn(|| {
        jail::restrict_thread().unwrap();
        let harness = Harness::new();
        harness.assert_good();
        for what in CHANGES {
            let (zygote, home) = (harness.process(), harness.home());
            let steps = change(&harness, what);
            let steps = steps.as_array().unwrap();
            assert!(steps.iter().all(|step| step == true), "{what}: {steps:?}");
            assert_eq!(harness.process(), zygote, "{what}");
            harness.assert_good();
            assert_ne!(harness.process(), zygote, "{what}");
            assert_ne!(harness.home(), home, "{what}");
            assert!(!home.exists());
        }
    });
    restricted.join().unwrap();
}

#[test]
fn a_change_from_outside_is_noticed() {
    let harness = Harness::new();
    harness.assert_good();
    let (zygote, home) = (harness.process(), harness.home());
    let fonts = home.join("fonts.conf");
    std::fs::set_permissions(&fonts, Permissions::from_mode(0o644)).unwrap();
    harness.assert_good();
    assert_ne!(harness.process(), zygote);
}

#[test]
fn documents_are_converted_under_the_restrictions_of_lambda() {
    let restricted = std::thread::spawn(|| {
        jail::restrict_thread().unwrap();
        let harness = Harness::new();
        let docx = harness.convert("a.rtf", RTF, json!({"format": "docx"}));
        let pdf = harness.convert("a.docx", &docx.unwrap(), json!({}));
        assert!(pdf.unwrap().starts_with(b"%PDF-"));
        let zygote = harness.process();
        harness.ask("segmentation fault", json!(null)).unwrap();
        harness.assert_good();
        assert_ne!(harness.process(), zygote);
    });
    restricted.join().unwrap();
}
