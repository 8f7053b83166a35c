//! The outbox.

use std::time::Duration;

use domain::event::{Event, EventType, Subject};
use domain::job::Job;
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Due, OutboxKey};
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::transition::AttemptOutcome;

use super::{accepted, claimed, stored_account};
use crate::environment::{Environment, Ports};

/// Rows are due until they are removed.
pub async fn outbox<P: Ports, W: Environment>(ports: &P, env: &W) {
    an_accepted_job_has_a_ticket_row_and_an_event_row(ports, env).await;
    a_claim_removes_the_ticket_row_and_adds_a_lease(ports, env).await;
    an_existing_ticket_row_is_postponed(ports, env).await;
    a_removed_row_is_not_due(ports, env).await;
    pages_omit_and_repeat_nothing(ports, env).await;
}

/// The due rows of `job` at `now`, oldest first, read in pages of `limit`.
async fn due_in_pages<P: Ports>(ports: &P, job: &Job, now: Timestamp, limit: u32) -> Vec<Due> {
    let of_job = |due: &Due| match due {
        Due::Ticket { ticket, .. } => ticket.job_id == job.id,
        Due::Event(event) => event.subject() == Subject::Job(job.id.clone()),
        Due::Lease(id) => *id == job.id,
    };
    let mut found = Vec::new();
    let mut position = None;
    loop {
        let page = ports.due(shard(&job.id), now, position.as_ref(), limit);
        let page = page.await.unwrap();
        found.extend(page.rows.into_iter().filter(of_job));
        match page.next {
            Some(next) => position = Some(next),
            None => return found,
        }
    }
}

/// The due rows of `job` at `now`, oldest first.
async fn due<P: Ports>(ports: &P, job: &Job, now: Timestamp) -> Vec<Due> {
    due_in_pages(ports, job, now, 1_000).await
}

fn after(now: Timestamp, seconds: u64) -> Timestamp {
    now.plus(Duration::from_secs(seconds))
}

async fn an_accepted_job_has_a_ticket_row_and_an_event_row<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let now = job.created_at;
    let event = || Due::Event(Event::of_job(EventType::JobCreated, &job));
    let ticket = Due::Ticket {
        ticket: Ticket::for_job(&job),
        sent: 0,
    };
    assert_eq!(due(ports, &job, after(now, 4)).await, []);
    assert_eq!(due(ports, &job, after(now, 5)).await, [event()]);
    assert_eq!(due(ports, &job, after(now, 60)).await, [event(), ticket]);
    let other = (shard(&job.id) + 1) % domain::outbox::SHARDS;
    let elsewhere = ports.due(other, after(now, 60), None, 1_000).await.unwrap();
    assert!(
        !elsewhere
            .rows
            .iter()
            .any(|due| matches!(due, Due::Ticket { ticket, .. } if ticket.job_id == job.id))
    );
}

async fn a_claim_removes_the_ticket_row_and_adds_a_lease<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let now = job.created_at;
    let job = claimed(ports, &job, now).await;
    let kinds = |all: &[Due]| -> Vec<&'static str> {
        all.iter()
            .map(|due| match due {
                Due::Ticket { .. } => "ticket",
                Due::Lease(_) => "lease",
                Due::Event(event) => event.event_type.name(),
            })
            .collect()
    };
    let all = due(ports, &job, after(now, 60)).await;
    let mut names = kinds(&all);
    names.sort_unstable();
    assert_eq!(names, ["job.created", "job.processing", "lease"]);
    assert!(
        ports
            .extend_lease(&job.id, 1, after(now, 90), 5)
            .await
            .unwrap()
    );
    assert_eq!(
        due(ports, &job, after(now, 60)).await.len(),
        2,
        "the lease was not extended"
    );
    let retry = job.finish(AttemptOutcome::Interrupted("x".into()), now);
    assert!(ports.apply(&retry).await.unwrap());
    let all = due(ports, &job, after(now, 600)).await;
    assert!(!kinds(&all).contains(&"lease"), "{all:?}");
    assert_eq!(
        kinds(&all).last(),
        Some(&"ticket"),
        "due after the back-off"
    );
    assert_eq!(all.len(), 4);
}

async fn an_existing_ticket_row_is_postponed<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let now = job.created_at;
    let later = now.plus(retry::resend_after(1));
    ports.postpone(&job.id, 1, later).await.unwrap();
    assert_eq!(
        due(ports, &job, after(now, 61)).await.len(),
        1,
        "only the event"
    );
    let ticket = Due::Ticket {
        ticket: Ticket::for_job(&job),
        sent: 1,
    };
    assert_eq!(due(ports, &job, later).await.last(), Some(&ticket));
    claimed(ports, &job, now).await;
    ports.postpone(&job.id, 2, later).await.unwrap();
    let all = due(ports, &job, after(later, 1)).await;
    let tickets = all.iter().filter(|due| matches!(due, Due::Ticket { .. }));
    assert_eq!(tickets.count(), 0, "the row was created again");
}

async fn a_removed_row_is_not_due<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Business).await;
    let mut jobs = Vec::new();
    let mut rows = Vec::new();
    for _ in 0..20 {
        let job = accepted(ports, env, &account).await;
        let event = Event::of_job(EventType::JobCreated, &job);
        rows.push(OutboxKey::Ticket(job.id.clone()));
        rows.push(OutboxKey::Event(event.subject(), event.id));
        jobs.push(job);
    }
    ports.remove(&rows).await.unwrap();
    ports.remove(&rows).await.unwrap();
    ports.remove(&[]).await.unwrap();
    for job in &jobs {
        assert_eq!(due(ports, job, after(env.now(), 3_600)).await, []);
        assert!(ports.job(&job.id).await.unwrap().is_some());
    }
}

async fn pages_omit_and_repeat_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let job = accepted(ports, env, &account).await;
    let job = claimed(ports, &job, job.created_at).await;
    let later = after(job.created_at, 60);
    let all = due(ports, &job, later).await;
    assert_eq!(all.len(), 3, "two events and a lease: {all:?}");
    assert_eq!(due_in_pages(ports, &job, later, 1).await, all);

    // The last row of a page may be deleted before the next page is read.
    let shard = shard(&job.id);
    let Some(Due::Event(first)) = all.first() else {
        panic!("no event: {all:?}");
    };
    let mut position = None;
    loop {
        let page = ports.due(shard, later, position.as_ref(), 1).await.unwrap();
        position = page.next;
        if page.rows.first() == all.first() {
            break;
        }
        assert!(position.is_some(), "not found");
    }
    let gone = OutboxKey::Event(Subject::Job(job.id.clone()), first.id.clone());
    ports.remove(&[gone]).await.unwrap();
    let rest = ports
        .due(shard, later, position.as_ref(), 1_000)
        .await
        .unwrap();
    assert!(all[1..].iter().all(|row| rest.rows.contains(row)), "lost");
    assert!(!rest.rows.contains(&all[0]), "repeated");
}
