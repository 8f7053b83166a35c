//! Where the time of a trivial job goes, by the processor's own word.

use crate::jobs;
use crate::latency::trivial;
use crate::statistics::Sample;
use crate::traffic::{Visitor, measure, visitors};

/// Jobs of each kind.
const JOBS: usize = 20;

/// The stages in their order, as the processors log them.
const STAGES: [(&str, &str); 6] = [
    ("queue_wait_ms", "accepted to claimed"),
    ("claim_ms", "claim"),
    ("fetch_ms", "fetch"),
    ("engine_ms", "engine"),
    ("store_ms", "store"),
    ("finish_ms", "finish"),
];

pub(crate) async fn report() {
    for (document, processor) in trivial().iter().zip(["process-ocr", "process-office"]) {
        println!(
            "\nStages of a job {} to {}, in milliseconds: median and 95th percentile",
            document.from, document.to
        );
        let visitors = visitors(1, document).await;
        let done = measure(&visitors, JOBS, |visitor: Visitor, _| async move {
            visitor.complete().await
        })
        .await;
        let done: Vec<String> = done.into_iter().map(|(_, job_id)| job_id).collect();
        let lines = jobs::logged(processor, &done).await;
        for (field, name) in STAGES {
            let mut sample = Sample::default();
            for line in &lines {
                sample.add(line[field].as_f64().unwrap());
            }
            println!("  {name:<22}{sample}");
        }
    }
}
