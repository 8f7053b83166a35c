//! The processors: a queue with its dead-letter queue, a function, its role and its log group each.

use std::path::Path;

use domain::processor::Processor;

use super::part::{part, role};
use crate::text::capitalized;

/// What differs between the processors.
struct Row {
    title: &'static str,
    description: &'static str,
    /// Why it is an image and not a zip, where it is one.
    image: Option<&'static str>,
    /// MiB; Lambda gives processor time in proportion.
    memory: u32,
    /// Seconds.
    timeout: u32,
    /// MiB under `/tmp`.
    storage: u32,
    /// How much it does at a time unless the operator says otherwise.
    concurrency: u32,
    /// What that bounds, as in "most … at the same time".
    work: &'static str,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let part = |processor: &Processor| row(*processor).part(root, &name(*processor));
    Processor::ALL.iter().map(part).collect()
}

/// What alarms call it.
pub(super) fn called(processor: Processor) -> &'static str {
    match processor {
        Processor::ProcessOffice => "office processor",
        Processor::ProcessPdf => "PDF processor",
        Processor::ProcessImage => "image processor",
        Processor::ProcessOcr => "text recognition",
        Processor::ProcessWeb => "web page processor",
        Processor::ProcessPipeline => "pipeline processor",
    }
}

/// `Office` of `process-office`, as in `ProcessOfficeFunction`.
pub(super) fn name(processor: Processor) -> String {
    capitalized(processor.name().trim_start_matches("process-"))
}

fn row(processor: Processor) -> Row {
    match processor {
        Processor::ProcessOffice => Row {
            title: "OFFICE PROCESSOR",
            description: "Turns office documents into PDF",
            image: Some("an office suite does not fit a zip. Runtime and Handler are for zips."),
            memory: 2048,
            timeout: 300,
            storage: 2048,
            concurrency: 10,
            work: "office documents processed",
        },
        Processor::ProcessPdf => Row {
            title: "PDF PROCESSOR",
            description: "Works on PDF documents and turns them into pictures",
            image: None,
            memory: 2048,
            timeout: 900,
            storage: 2048,
            concurrency: 20,
            work: "PDF documents processed",
        },
        Processor::ProcessImage => Row {
            title: "IMAGE PROCESSOR",
            description: "Compresses images, changes them, and turns them into one another and into PDF",
            image: Some("it holds fonts, and libheif's program."),
            memory: 2048,
            timeout: 180,
            storage: 2048,
            concurrency: 20,
            work: "images processed",
        },
        Processor::ProcessOcr => Row {
            title: "TEXT RECOGNITION",
            description: "Recognises the text of pictures and scanned pages, and makes documents of pages",
            image: Some("it holds Tesseract and its models."),
            memory: 2048,
            timeout: 900,
            storage: 2048,
            concurrency: 20,
            work: "documents whose text is recognised",
        },
        Processor::ProcessWeb => Row {
            title: "WEB PAGES",
            description: "Turns web pages, HTML and Markdown into PDF",
            image: Some("it holds a browser."),
            memory: 3008,
            timeout: 120,
            storage: 2048,
            concurrency: 10,
            work: "web pages rendered",
        },
        Processor::ProcessPipeline => Row {
            title: "PIPELINES",
            description: "Runs the jobs whose steps belong to several of the processors above",
            image: Some("it holds every engine."),
            memory: 3008,
            timeout: 900,
            storage: 4096,
            concurrency: 20,
            work: "pipelines run",
        },
    }
}

/// The variables of a function that sends tickets to any processor.
pub(super) fn queue_urls() -> String {
    let line = |name: &str| {
        let upper = name.to_uppercase();
        format!("          PROCESS_{upper}_QUEUE_URL: !Ref Process{name}Queue")
    };
    lines(line)
}

/// A list of the queues, or of their dead-letter queues.
pub(super) fn arns(queue: &str) -> String {
    lines(|name| format!("                  - !GetAtt Process{name}{queue}.Arn"))
}

/// The event sources of the function that reads all dead-letter queues.
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

/// The parameters that bound how much each does at a time.
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
    Description: Most {work} at the same time.
"
        )
    };
    Processor::ALL.iter().map(parameter).collect()
}

/// The outputs that name the queues.
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
            "    # An image: {why}\n    IgnoreGlobals: [Runtime, Handler]\n    Metadata: {{ DockerContext: ., Dockerfile: \
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
