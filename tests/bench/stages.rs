//! Duration of each stage of a trivial job, as logged by the coordinator.

use crate::jobs;
use crate::latency::small_documents;
use crate::statistics::Sample;
use crate::traffic::{LoadClient, load_clients, measure};

/// Jobs of each kind.
const JOBS: usize = 20;

/// The stages in order: log field and name.
const STAGES: [(&str, &str); 6] = [
    ("queue_wait_ms", "accepted to claimed"),
    ("claim_ms", "claim"),
    ("fetch_ms", "fetch"),
    ("engine_ms", "engine"),
    ("store_ms", "store"),
    ("finish_ms", "finish"),
];

pub(crate) async fn report() {
    for (document, processor) in small_documents()
        .iter()
        .zip(["process-ocr", "process-office"])
    {
        println!(
            "\nStages of a job {} to {}, in milliseconds: median and 95th percentile",
            document.from, document.to
        );
        let load_clients = load_clients(1, document).await;
        let done = measure(
            &load_clients,
            JOBS,
            |load_client: LoadClient, _| async move { load_client.complete().await },
        )
        .await;
        let done: Vec<String> = done.into_iter().map(|(_, job_id)| job_id).collect();
        let lines = jobs::completion_log_entries(processor, &done).await;
        for (field, name) in STAGES {
            let mut sample = Sample::default();
            for line in &lines {
                sample.add(line[field].as_f64().unwrap());
            }
            println!("  {name:<22}{sample}");
        }
    }
}
