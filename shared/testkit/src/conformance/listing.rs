//! Lists of jobs.

use domain::job::{Job, JobStatus};
use domain::plan::Plan;
use domain::ports::AcceptOutcome;
use domain::timestamp::Timestamp;

use super::{claimed, stored_account};
use crate::environment::{Environment, Ports};
use crate::sample;

/// An account's jobs are listed newest first, in pages.
pub async fn listing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let other = stored_account(ports, env, Plan::Business).await;
    let mut newest_first = Vec::new();
    for number in 0..25 {
        let owner = if number == 7 { &other } else { &account };
        let now = Timestamp(env.now().milliseconds() + number);
        let acceptance = sample::accept_at(env, owner, &sample::fingerprint(env), now);
        assert_eq!(ports.accept(&acceptance).await.unwrap(), AcceptOutcome::New);
        if number != 7 {
            newest_first.insert(0, acceptance.job);
        }
    }
    pages_follow_each_other(ports, &newest_first).await;
    let claimed = claim_some(ports, &mut newest_first).await;
    a_filter_keeps_the_order(ports, &newest_first, &claimed).await;
}

async fn pages_follow_each_other<P: Ports>(ports: &P, all: &[Job]) {
    let account = &all[0].account_id;
    let (mut found, mut sizes, mut before) = (Vec::new(), Vec::new(), None);
    loop {
        let page = ports
            .jobs(account, None, before.as_ref(), 10)
            .await
            .unwrap();
        sizes.push(page.jobs.len());
        found.extend(page.jobs);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [10, 10, 4]);
    assert_eq!(found, all);
    let exact = ports.jobs(account, None, None, 24).await.unwrap();
    assert_eq!(
        (exact.jobs.len(), exact.next),
        (24, None),
        "no empty page at the end"
    );
}

/// Claims every fifth job.
async fn claim_some<P: Ports>(ports: &P, all: &mut [Job]) -> Vec<Job> {
    let mut some = Vec::new();
    for job in all.iter_mut().step_by(5) {
        *job = claimed(ports, job, job.created_at).await;
        some.push(job.clone());
    }
    some
}

async fn a_filter_keeps_the_order<P: Ports>(ports: &P, all: &[Job], claimed: &[Job]) {
    let account = &all[0].account_id;
    let (mut found, mut before) = (Vec::new(), None);
    for _ in 0..10 {
        let processing = Some(JobStatus::Processing);
        let page = ports
            .jobs(account, processing, before.as_ref(), 2)
            .await
            .unwrap();
        assert!(page.jobs.len() <= 2);
        found.extend(page.jobs);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(before, None);
    assert_eq!(found, claimed);
    let none = ports
        .jobs(account, Some(JobStatus::Failed), None, 10)
        .await
        .unwrap();
    assert_eq!((none.jobs, none.next), (Vec::new(), None));
}
