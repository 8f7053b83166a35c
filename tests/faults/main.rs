//! Fault injection on the running stack: no accepted job is lost, processed twice or
//! charged twice.
//!
//! These tests kill processes and modify queues, so each runs alone (`.config/nextest.toml`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod account;
mod aws;
mod bus;
mod coordinator;
mod crash;
mod dead_letters;
mod invalid_messages;
mod memory;
mod pipeline;
mod processor;
mod queue;
mod startup;
mod subscribers;
mod tables;
mod throttled;
mod tickets;

use std::sync::Arc;

use coordinator::{OrphanedJob, UnpublishedJob};
use tests::process::Process;
use tokio::task::JoinSet;

/// All of these wait for `sweep`, so they run concurrently, each with another function, after coordinators were killed one
/// after the other. A failure does not stop the others.
#[tokio::test(flavor = "multi_thread")]
async fn crashes_and_lost_messages_lose_no_job_and_no_event() {
    let orphaned = [
        OrphanedJob::before_invoking().await,
        OrphanedJob::before_finishing().await,
        OrphanedJob::while_invoking().await,
    ];
    let unpublished = UnpublishedJob::start().await;
    let receiver = Arc::new(subscribers::receiver().await);
    let mut checks = JoinSet::new();
    for job in orphaned {
        checks.spawn(job.completes_after_retry());
    }
    checks.spawn(unpublished.published_by_sweep());
    checks.spawn(tickets::lost_ticket_is_resent());
    checks.spawn(pipeline::resumes_after_completed_steps());
    checks.spawn(subscribers::killed_while_delivering(Arc::clone(&receiver)));
    checks.spawn(subscribers::killed_during_fan_out(receiver));
    let (mut failed, all) = (0, checks.len());
    while let Some(result) = checks.join_next().await {
        failed += usize::from(result.is_err());
    }
    assert_eq!(failed, 0, "of {all} checks; see above");
}

#[tokio::test]
async fn a_crash_of_an_engine_function_is_retried_for_one_charge() {
    crash::killed_engine_function_is_retried().await;
}

#[tokio::test]
async fn a_crash_of_a_document_s_engine_fails_only_its_job() {
    crash::check_engine_crash(Process::crash, "engine_crashed").await;
    crash::check_engine_crash(Process::kill, "engine_out_of_memory").await;
}

#[tokio::test]
async fn a_job_waits_for_concurrency_without_using_up_attempts() {
    throttled::job_waits_for_concurrency().await;
}

#[tokio::test]
async fn a_duplicate_ticket_processes_the_job_once() {
    tickets::duplicate_after_completion().await;
    tickets::duplicates_before_processing().await;
}

#[tokio::test]
async fn a_ticket_in_the_previous_format_is_processed() {
    tickets::previous_format().await;
}

#[tokio::test]
async fn a_ticket_of_an_unknown_job_is_dropped() {
    tickets::unknown_job().await;
}

#[tokio::test]
async fn an_invalid_message_reaches_the_final_dead_letter_queue_and_blocks_nothing() {
    invalid_messages::are_dead_lettered().await;
}

#[tokio::test]
async fn a_dead_letter_fails_its_job_and_a_redrive_completes_it() {
    dead_letters::job_is_redriven().await;
    dead_letters::queue_is_redriven().await;
}

#[tokio::test]
async fn a_pipeline_is_rejected_while_its_processor_is_off() {
    pipeline::is_rejected_while_off().await;
}

#[tokio::test]
async fn memory_does_not_grow_with_the_document() {
    memory::stays_bounded().await;
}

#[test]
fn a_stack_that_cannot_start_reports_cause_and_remedy() {
    startup::without_binaries();
    startup::without_packages();
    startup::with_a_directory_in_use();
}

#[test]
fn a_second_stack_runs_concurrently_and_reports_a_dead_emulator() {
    startup::concurrent_with_another();
}
