//! What goes wrong on the way of a job, brought about on the running stack: nothing accepted is lost, done twice or
//! charged twice.
//!
//! These tests kill processes and change queues, so each has the stack to itself (`.config/nextest.toml`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod account;
mod aws;
mod burial;
mod bus;
mod crash;
mod garbage;
mod memory;
mod pipeline;
mod processor;
mod queue;
mod startup;
mod subscribers;
mod tables;
mod tickets;

use std::sync::Arc;

use tests::process::Process;
use tokio::task::JoinSet;

/// All wait for `sweep`, so they wait together; each uses a function of its own. One that fails stops no other.
#[tokio::test(flavor = "multi_thread")]
async fn what_dies_or_is_lost_on_the_way_loses_no_job_and_no_event() {
    let orphaned = crash::Orphaned::job().await;
    let receiver = Arc::new(subscribers::receiver().await);
    let mut promises = JoinSet::new();
    promises.spawn(orphaned.ends_well());
    promises.spawn(tickets::one_is_lost());
    promises.spawn(pipeline::goes_on_where_it_was());
    promises.spawn(subscribers::in_mid_delivery(Arc::clone(&receiver)));
    promises.spawn(subscribers::in_mid_fan_out(receiver));
    let (mut broken, all) = (0, promises.len());
    while let Some(ended) = promises.join_next().await {
        broken += usize::from(ended.is_err());
    }
    assert_eq!(broken, 0, "of {all} promises; see above");
}

#[tokio::test]
async fn an_engine_that_dies_fails_its_job_alone() {
    crash::of_an_engine(Process::crash, "engine_crashed").await;
    crash::of_an_engine(Process::kill, "engine_out_of_memory").await;
}

#[tokio::test]
async fn a_ticket_that_comes_twice_does_its_job_once() {
    tickets::one_comes_again().await;
    tickets::two_come_together().await;
}

#[tokio::test]
async fn a_ticket_of_the_previous_form_does_its_job() {
    tickets::one_of_the_previous_form().await;
}

#[tokio::test]
async fn a_ticket_of_an_unknown_job_is_done_with() {
    tickets::one_of_an_unknown_job().await;
}

#[tokio::test]
async fn a_message_that_is_no_ticket_ends_before_an_operator_and_blocks_nothing() {
    garbage::is_set_aside().await;
}

#[tokio::test]
async fn a_dead_letter_buries_its_job_and_a_redrive_brings_it_back() {
    burial::and_redrive().await;
    burial::and_redrive_of_a_queue().await;
}

#[tokio::test]
async fn a_pipeline_is_refused_while_its_processor_is_switched_off() {
    pipeline::is_refused_while_switched_off().await;
}

#[tokio::test]
async fn memory_does_not_grow_with_the_document() {
    memory::stays_level().await;
}

#[test]
fn a_stack_that_cannot_start_says_why_and_what_to_do() {
    startup::without_binaries();
    startup::without_packages();
    startup::with_a_directory_in_use();
}

#[test]
fn a_second_stack_runs_beside_the_first_and_tells_when_its_emulator_dies() {
    startup::beside_another();
}
