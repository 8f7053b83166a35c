//! Processors: queue, dead-letter queue, coordinator function, role and log group of each.

use std::path::Path;

use domain::engine_function::{COORDINATOR_MEMORY, EngineFunction, coordinator_timeout};
use domain::processor::Processor;

use super::engines;
use super::part::{part, role};
use crate::text::pascal_case;

/// Size of a coordinator's `/tmp` in MiB: remote sources are buffered there before their upload to the bucket.
const STORAGE: u32 = 2048;

/// Properties that differ between the processors.
struct Row {
    title: &'static str,
    description: &'static str,
    /// Default maximum concurrency.
    concurrency: u32,
    /// The work that the concurrency limits, as in "Maximum number of {work} processed concurrently".
    work: &'static str,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let part = |processor: &Processor| text(root, *processor);
    Processor::ALL.iter().map(part).collect()
}

/// Name of the processor in alarm descriptions.
pub(super) fn called(processor: Processor) -> &'static str {
    match processor {
        Processor::ProcessOffice => "office processor",
        Processor::ProcessPdf => "PDF processor",
        Processor::ProcessImage => "image processor",
        Processor::ProcessOcr => "OCR processor",
        Processor::ProcessWeb => "web page processor",
        Processor::ProcessPipeline => "pipeline processor",
    }
}

/// `Office` of `process-office`, as in `ProcessOfficeFunction`.
pub(super) fn name(processor: Processor) -> String {
    pascal_case(processor.name().trim_start_matches("process-"))
}

fn row(processor: Processor) -> Row {
    match processor {
        Processor::ProcessOffice => Row {
            title: "OFFICE PROCESSOR",
            description: "Coordinates conversions of office documents",
            concurrency: 10,
            work: "office jobs",
        },
        Processor::ProcessPdf => Row {
            title: "PDF PROCESSOR",
            description: "Coordinates edits of PDF documents and their conversion to images and other formats",
            concurrency: 20,
            work: "PDF jobs",
        },
        Processor::ProcessImage => Row {
            title: "IMAGE PROCESSOR",
            description: "Coordinates edits and conversions of images",
            concurrency: 20,
            work: "image jobs",
        },
        Processor::ProcessOcr => Row {
            title: "OCR PROCESSOR",
            description: "Coordinates text recognition and the reconstruction of documents from pages",
            concurrency: 20,
            work: "OCR jobs",
        },
        Processor::ProcessWeb => Row {
            title: "WEB PAGE PROCESSOR",
            description: "Coordinates the rendering of web pages, HTML and Markdown",
            concurrency: 10,
            work: "web page jobs",
        },
        Processor::ProcessPipeline => Row {
            title: "PIPELINE PROCESSOR",
            description: "Coordinates pipelines whose steps need several engine functions",
            concurrency: 20,
            work: "pipeline jobs",
        },
    }
}

/// Environment variables with the URLs of all processor queues.
pub(super) fn queue_urls() -> String {
    let line = |name: &str| {
        let upper = name.to_uppercase();
        format!("          PROCESS_{upper}_QUEUE_URL: !Ref Process{name}Queue")
    };
    lines(line)
}

/// ARNs of all processor queues, or of their dead-letter queues.
pub(super) fn arns(queue: &str) -> String {
    lines(|name| format!("                  - !GetAtt Process{name}{queue}.Arn"))
}

/// Event sources of the function dead-letter: all dead-letter queues of processors.
pub(super) fn dead_letters() -> String {
    lines(|name| {
        format!(
            "        {name}DeadLetter:
          Type: SQS
          Properties:
            Queue: !GetAtt Process{name}DeadLetterQueue.Arn
            BatchSize: 1
            FunctionResponseTypes: [ReportBatchItemFailures]
            ScalingConfig: {{ MaximumConcurrency: 2 }}"
        )
    })
}

/// Concurrency parameters of the processors.
pub(super) fn parameters() -> String {
    let parameter = |processor: &Processor| {
        let (name, row) = (name(*processor), row(*processor));
        let (most, work) = (row.concurrency, row.work);
        format!(
            "  Process{name}Concurrency:
    Type: Number
    Default: {most}
    MinValue: 2
    MaxValue: 1000
    Description: Maximum number of {work} processed concurrently.
"
        )
    };
    Processor::ALL.iter().map(parameter).collect()
}

/// Outputs with the queue URLs.
pub(super) fn outputs() -> String {
    let output = |processor: &Processor| {
        let (name, called) = (name(*processor), called(*processor));
        let of_queue = |queue, what| {
            format!(
                "  Process{name}{queue}Url:
    Description: {what} of the {called}
    Value: !Ref Process{name}{queue}
"
            )
        };
        of_queue("Queue", "Queue") + &of_queue("DeadLetterQueue", "Dead-letter queue")
    };
    Processor::ALL.iter().map(output).collect()
}

fn lines(line: impl Fn(&str) -> String) -> String {
    let lines = Processor::ALL
        .iter()
        .map(|processor| line(&name(*processor)));
    lines.collect::<Vec<_>>().join("\n")
}

fn text(root: &Path, processor: Processor) -> Result<String, String> {
    let (name, row) = (name(processor), row(processor));
    let timeout = coordinator_timeout(processor).as_secs();
    let engines = EngineFunction::invoked_by(processor);
    let function = [
        ("title", row.title.to_owned()),
        ("Name", name.clone()),
        ("NAME", name.to_uppercase()),
        ("name", processor.name().to_owned()),
        ("description", row.description.to_owned()),
        ("memory", COORDINATOR_MEMORY.to_string()),
        ("timeout", timeout.to_string()),
        ("visibility", (6 * timeout).to_string()),
        ("storage", STORAGE.to_string()),
        ("engines", engines::variables(&engines)),
    ];
    let values = [
        ("Name", format!("Process{name}")),
        ("policy", processor.name().to_owned()),
        ("engines", engines::arns(&engines)),
    ];
    let role = role(root, "processor", &values)?;
    Ok(part(root, "processor", &function)? + "\n" + &role)
}
