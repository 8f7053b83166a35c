//! Processors: queue, dead-letter queue, function, role and log group of each.

use std::path::Path;

use domain::processor::Processor;

use super::part::{part, role};
use crate::text::pascal_case;

/// Properties that differ between the processors.
struct Row {
    title: &'static str,
    description: &'static str,
    /// Why the function is deployed as an image instead of a zip; `None` for a zip.
    image: Option<&'static str>,
    /// Memory in MiB; Lambda allots CPU time in proportion.
    memory: u32,
    /// Function timeout, in seconds.
    timeout: u32,
    /// Size of `/tmp`, in MiB.
    storage: u32,
    /// Default maximum concurrency.
    concurrency: u32,
    /// The work that the concurrency limits, as in "Maximum number of {work} processed concurrently".
    work: &'static str,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let part = |processor: &Processor| row(*processor).part(root, &name(*processor));
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
            description: "Converts office documents to PDF",
            image: Some(
                "LibreOffice exceeds the size limit of a zip. Runtime and Handler apply to zips only.",
            ),
            memory: 2048,
            timeout: 300,
            storage: 2048,
            concurrency: 10,
            work: "office jobs",
        },
        Processor::ProcessPdf => Row {
            title: "PDF PROCESSOR",
            description: "Edits PDF documents and converts them to images and other formats",
            image: None,
            memory: 2048,
            timeout: 900,
            storage: 2048,
            concurrency: 20,
            work: "PDF jobs",
        },
        Processor::ProcessImage => Row {
            title: "IMAGE PROCESSOR",
            description: "Compresses, edits and converts images",
            image: Some("it contains fonts and the program of libheif."),
            memory: 2048,
            timeout: 180,
            storage: 2048,
            concurrency: 20,
            work: "image jobs",
        },
        Processor::ProcessOcr => Row {
            title: "OCR PROCESSOR",
            description: "Recognizes the text of images and scanned pages, and reconstructs documents from pages",
            image: Some("it contains Tesseract and its models."),
            memory: 2048,
            timeout: 900,
            storage: 2048,
            concurrency: 20,
            work: "OCR jobs",
        },
        Processor::ProcessWeb => Row {
            title: "WEB PAGE PROCESSOR",
            description: "Renders web pages, HTML and Markdown as PDF",
            image: Some("it contains a browser."),
            memory: 3008,
            timeout: 120,
            storage: 2048,
            concurrency: 10,
            work: "web page jobs",
        },
        Processor::ProcessPipeline => Row {
            title: "PIPELINE PROCESSOR",
            description: "Runs pipelines whose steps need several of the processors above",
            image: Some("it contains every engine."),
            memory: 3008,
            timeout: 900,
            storage: 4096,
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

impl Row {
    fn part(&self, root: &Path, name: &str) -> Result<String, String> {
        let lower = name.to_lowercase();
        let function = [
            ("build", self.build(&lower)),
            ("package", self.package().to_owned()),
            ("title", self.title.to_owned()),
            ("Name", name.to_owned()),
            ("NAME", name.to_uppercase()),
            ("description", self.description.to_owned()),
            ("memory", self.memory.to_string()),
            ("timeout", self.timeout.to_string()),
            ("visibility", (6 * self.timeout).to_string()),
            ("storage", self.storage.to_string()),
        ];
        let values = [
            ("Name", format!("Process{name}")),
            ("policy", format!("process-{lower}")),
        ];
        let role = role(root, "processor", &values)?;
        Ok(part(root, "processor", &function)? + "\n" + &role)
    }

    fn build(&self, name: &str) -> String {
        let Some(why) = self.image else {
            return "    Metadata: { BuildMethod: makefile, WorkingDirectory: . }\n".to_owned();
        };
        format!(
            "    # Container image: {why}\n    IgnoreGlobals: [Runtime, Handler]\n    Metadata: {{ DockerContext: ., Dockerfile: \
             infra/images/Dockerfile, DockerBuildTarget: process-{name}, DockerTag: process-{name} }}\n"
        )
    }

    fn package(&self) -> &'static str {
        match self.image {
            Some(_) => "      PackageType: Image\n",
            None => "      CodeUri: infra/bundle\n",
        }
    }
}
