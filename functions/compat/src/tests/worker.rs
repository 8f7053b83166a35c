//! Fake worker that finishes each job with a given outcome.

use std::sync::Arc;
use std::time::Duration;

use domain::job::{Job, JobError, JobErrorCode, JobStatus, JobWarning};
use domain::ports::Jobs;
use domain::source::result_object;
use domain::timestamp::days;
use serde_json::json;
use testkit::{Fakes, sample};
use tokio::task::JoinHandle;

/// Outcome of a job.
#[derive(Clone)]
pub(super) enum JobOutcome {
    Completed {
        content_type: &'static str,
        bytes: Vec<u8>,
        pages: u32,
    },
    Failed(JobErrorCode),
    DeadLetter,
    /// The job stays in status `processing`.
    Never,
}

impl JobOutcome {
    pub(super) fn pdf(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Completed {
            content_type: "application/pdf",
            bytes: bytes.into(),
            pages: 1,
        }
    }
}

/// Finishes each job a given time after its ticket was sent; stops on drop.
pub(super) struct Worker(JoinHandle<()>);

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Worker {
    pub(super) fn start(fakes: &Arc<Fakes>, after: Duration, outcome: JobOutcome) -> Self {
        let fakes = Arc::clone(fakes);
        Self(tokio::spawn(async move {
            let mut done = 0;
            loop {
                tokio::time::sleep(Duration::from_millis(10)).await;
                for sent in fakes.sent().into_iter().skip(done) {
                    done += 1;
                    tokio::time::sleep(after).await;
                    let job = fakes.job(&sent.ticket.job_id).await.unwrap().unwrap();
                    fakes.put_job(finished(&fakes, job, outcome.clone()));
                }
            }
        }))
    }
}

/// The warning of an OCR job whose language was detected.
fn recognized_german() -> JobWarning {
    let data = [("languages".to_owned(), json!(["deu"]))];
    JobWarning {
        code: "text_recognized".to_owned(),
        message: "The text of page 1 was recognized by OCR.".to_owned(),
        data: data.into_iter().collect(),
    }
}

fn finished(fakes: &Fakes, mut job: Job, outcome: JobOutcome) -> Job {
    job.attempt = 1;
    match outcome {
        JobOutcome::Completed {
            content_type,
            bytes,
            pages,
        } => {
            let mut output = sample::output(&job);
            output.filename = job.filename.with_extension(job.format.extension());
            output.content_type = content_type.to_owned();
            output.size_bytes = bytes.len() as u64;
            output.pages = pages;
            output.expires_at = runtime::clock::now().plus(days(7));
            let object = result_object(&job.account_id, &job.id, 1, &output.object);
            fakes.put_object(&object, content_type, &bytes);
            job.output = Some(output);
            if content_type == "text/plain" {
                job.warnings.push(recognized_german());
            }
            job.status = JobStatus::Completed;
        }
        JobOutcome::Failed(code) => {
            job.error = Some(JobError::new(code, "the document is damaged"));
            job.status = JobStatus::Failed;
        }
        JobOutcome::DeadLetter => {
            let code = JobErrorCode::InternalError;
            job.error = Some(JobError::new(code, "engine process 7 was lost"));
            job.status = JobStatus::DeadLetter;
        }
        JobOutcome::Never => job.status = JobStatus::Processing,
    }
    job
}
