//! The processors: a queue with its dead-letter queue, a function, its role and its log group each.

use std::path::Path;

use domain::operation::Processor;

use super::part::part;

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
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let parts = Processor::ALL.map(|processor| row(processor).part(root, &name(processor)));
    parts.into_iter().collect()
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
    let name = processor.name().trim_start_matches("process-");
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
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
        },
        Processor::ProcessPdf => Row {
            title: "PDF PROCESSOR",
            description: "Works on PDF documents and turns them into pictures",
            image: None,
            memory: 2048,
            timeout: 900,
            storage: 2048,
        },
        Processor::ProcessImage => Row {
            title: "IMAGE PROCESSOR",
            description: "Compresses images, changes them, and turns them into one another and into PDF",
            image: Some("it holds fonts, and libheif's program."),
            memory: 2048,
            timeout: 180,
            storage: 2048,
        },
        Processor::ProcessOcr => Row {
            title: "TEXT RECOGNITION",
            description: "Recognises the text of pictures and scanned pages, and makes documents of pages",
            image: Some("it holds Tesseract and its models."),
            memory: 2048,
            timeout: 900,
            storage: 2048,
        },
        Processor::ProcessWeb => Row {
            title: "WEB PAGES",
            description: "Turns web pages, HTML and Markdown into PDF",
            image: Some("it holds a browser."),
            memory: 3008,
            timeout: 120,
            storage: 2048,
        },
        Processor::ProcessPipeline => Row {
            title: "PIPELINES",
            description: "Runs the jobs whose steps belong to several of the processors above",
            image: Some("it holds every engine."),
            memory: 3008,
            timeout: 900,
            storage: 4096,
        },
    }
}

impl Row {
    fn part(&self, root: &Path, name: &str) -> Result<String, String> {
        let build = self.build(&name.to_lowercase());
        let values: [(&str, &str); 11] = [
            ("build", build.as_str()),
            ("package", self.package()),
            ("title", self.title),
            ("Name", name),
            ("NAME", &name.to_uppercase()),
            ("name", &name.to_lowercase()),
            ("description", self.description),
            ("memory", &self.memory.to_string()),
            ("timeout", &self.timeout.to_string()),
            ("visibility", &(6 * self.timeout).to_string()),
            ("storage", &self.storage.to_string()),
        ];
        part(root, "processor", &values)
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
