//! Fault injection affects exactly the requested calls.
#![allow(clippy::unwrap_used)]

use domain::plan::Plan;
use domain::ports::{AcceptOutcome, Accounts, Jobs, PortError};
use testkit::{Call, Fakes, Fault, sample};

#[tokio::test]
async fn a_fault_affects_the_requested_number_of_calls_of_its_kind_only() {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Pro);
    let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
    fakes.fail(Call::Accept, Fault::Contended, 2);
    for _ in 0..2 {
        let response = fakes.accept(&acceptance).await;
        assert!(matches!(response, Err(PortError::Contended)));
    }
    assert_eq!(fakes.account(&account.id).await.unwrap(), None);
    assert_eq!(fakes.job(&acceptance.job.id).await.unwrap(), None);
    assert_eq!(fakes.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
}

#[tokio::test]
async fn a_lost_response_comes_after_the_write_and_an_outage_before_it() {
    for (fault, written) in [(Fault::ResponseLost, true), (Fault::Unavailable, false)] {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Pro);
        let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
        fakes.fail(Call::Accept, fault, 1);
        let response = fakes.accept(&acceptance).await;
        assert!(matches!(response, Err(PortError::Unavailable { .. })));
        let job = fakes.job(&acceptance.job.id).await.unwrap();
        assert_eq!(job.is_some(), written, "{fault:?}");
    }
}
