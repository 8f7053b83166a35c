//! Faults happen when they are asked for, and as often.
#![allow(clippy::unwrap_used)]

use domain::plan::Plan;
use domain::ports::{Accepted, Accounts, Jobs, PortError};
use testkit::{Call, Fakes, Fault, sample};

#[tokio::test]
async fn a_fault_happens_as_often_as_it_was_asked_for_and_to_that_call_alone() {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Pro);
    let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
    fakes.fail(Call::Accept, Fault::Contended, 2);
    for _ in 0..2 {
        let answer = fakes.accept(&acceptance).await;
        assert!(matches!(answer, Err(PortError::Contended)));
    }
    assert_eq!(fakes.account(&account.id).await.unwrap(), None);
    assert_eq!(fakes.job(&acceptance.job.id).await.unwrap(), None);
    assert_eq!(fakes.accept(&acceptance).await.unwrap(), Accepted::New);
}

#[tokio::test]
async fn a_lost_answer_is_lost_after_the_write_and_an_outage_before_it() {
    for (fault, written) in [(Fault::AnswerLost, true), (Fault::Unavailable, false)] {
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Pro);
        let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
        fakes.fail(Call::Accept, fault, 1);
        let answer = fakes.accept(&acceptance).await;
        assert!(matches!(answer, Err(PortError::Unavailable { .. })));
        let job = fakes.job(&acceptance.job.id).await.unwrap();
        assert_eq!(job.is_some(), written, "{fault:?}");
    }
}
