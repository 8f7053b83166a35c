//! Runs the steps of a job one after the other and hands over a verified result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::format::Format;
use domain::job::{ARCHIVE_MIME_TYPE, ArchiveContents, Warning};
use domain::limits::work_limit;
use domain::operation::Operation;
use domain::processor::Processor;
use sandbox::{Launcher, Zygote};
use task::{Product, Remark, WebAccess};

use crate::artifact::weigh;
use crate::budget::Budget;
use crate::error::EngineError;
use crate::installed::{Browser, Heif, Installed, Models, Office, Pdfium};
use crate::modules::Modules;
use crate::prewarmed::PrewarmedBrowser;
use crate::request::{Artifact, Request};
use crate::step::Step;

/// The engines of a processor, ready to run.
#[derive(Clone, Debug)]
pub struct Engines {
    modules: Modules,
    launcher: Launcher,
    zygote: Arc<Zygote>,
    installed: Installed,
    web: Option<Arc<dyn WebAccess>>,
    prewarmed: Option<Arc<PrewarmedBrowser>>,
}

impl Engines {
    /// Finds what the processors `needed` work with. `launcher` starts an executable whose `main` calls
    /// [`crate::child`] first thing, with the same modules.
    ///
    /// # Errors
    /// [`EngineError::Service`] that names what is missing or too old.
    pub fn discover(
        launcher: Launcher,
        modules: Modules,
        needed: &[Processor],
    ) -> Result<Self, EngineError> {
        let office = needed.contains(&Processor::ProcessOffice)
            || needed.contains(&Processor::ProcessPipeline);
        let tesseract =
            needed.contains(&Processor::ProcessOcr) || needed.contains(&Processor::ProcessPipeline);
        let browser =
            needed.contains(&Processor::ProcessWeb) || needed.contains(&Processor::ProcessPipeline);
        let heif = needed.contains(&Processor::ProcessImage)
            || needed.contains(&Processor::ProcessPipeline);
        // Every processor writes or reads PDF.
        let pdfium = Pdfium::find()?;
        let zygote = Zygote::new(launcher.clone(), &pdfium.library);
        let installed = Installed {
            heif: heif.then(Heif::find).transpose()?,
            office: office.then(|| Office::find(&launcher)).transpose()?,
            tesseract: tesseract.then(Models::find).transpose()?,
            browser: browser.then(Browser::find).transpose()?,
            pdfium: Some(pdfium),
        };
        Ok(Self {
            modules,
            launcher,
            zygote: Arc::new(zygote),
            installed,
            web: None,
            prewarmed: None,
        })
    }

    /// The same, whose pages reach the web. Without it only documents are printed, which need no network.
    #[must_use]
    pub fn with_web(mut self, web: Arc<dyn WebAccess>) -> Self {
        self.web = Some(web);
        self
    }

    /// The same, with a browser that is prewarmed now and after each document, for the next one. Scratch directories of
    /// requests lie on the same disk as `base`.
    #[must_use]
    pub fn with_prewarmed_browser(mut self, base: &Path) -> Self {
        let browser = self.installed.browser.as_ref();
        let prewarmed =
            browser.and_then(|browser| PrewarmedBrowser::of(&self.launcher, browser, base));
        self.prewarmed = prewarmed.map(Arc::new);
        self.refill();
        self
    }

    fn refill(&self) {
        self.prewarmed.iter().for_each(PrewarmedBrowser::refill);
    }

    /// Begins what takes long to begin, without waiting for it, so that the first document finds it begun.
    ///
    /// # Errors
    /// [`EngineError::Service`] if no process can be started.
    pub fn warm_up(&self) -> Result<(), EngineError> {
        self.zygote.warm_up();
        match &self.installed.office {
            Some(office) => Ok(office.zygote.warm_up()?),
            None => Ok(()),
        }
    }

    /// Does all steps and verifies the result of each. Blocks.
    ///
    /// # Errors
    /// [`EngineError`]; whatever it is, no process of the job is alive any more.
    pub fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        let ended = self.run_steps(request);
        self.refill();
        ended
    }

    fn run_steps(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        let mut way = Way::begin(request)?;
        for (index, operation) in request.steps.iter().enumerate() {
            self.advance(request, &mut way, index, operation)?;
        }
        (request.progress)(100);
        way.seal()
    }

    /// The engines that would do an operation on a format, with their versions and font set; `None` when nobody does it.
    #[must_use]
    pub fn fingerprint(&self, operation: &Operation, from: Format) -> Option<String> {
        let (_, to) = operation.resolve(from)?;
        let module = self.modules.find(operation, from)?;
        Some((module.fingerprint)(&self.installed, to))
    }

    fn advance(
        &self,
        request: &Request<'_>,
        way: &mut Way,
        index: usize,
        operation: &Operation,
    ) -> Result<(), EngineError> {
        let (processor, to) = resolve(operation, way.format)?;
        let unlimited = || EngineError::Service(format!("no limit on {}", operation.name()));
        let limit = work_limit(operation.name(), processor).ok_or_else(unlimited)?;
        let step = Step {
            modules: self.modules,
            engines: (&self.zygote, &self.installed),
            web: self.web.as_deref(),
            prewarmed: self.prewarmed.as_deref(),
            request,
            index,
            operation,
            source: &way.document,
            from: way.format,
            to,
            limit,
            budget: *way.budget.get_or_insert_with(|| Budget::begin(processor)),
        };
        let done = step.run()?;
        way.remarks.note(&step, &done.product);
        way.document = done.path;
        way.format = to;
        way.last = Some((done.product, done.pages));
        Ok(())
    }
}

/// What has become of the document so far.
struct Way {
    document: PathBuf,
    format: Format,
    budget: Option<Budget>,
    last: Option<(Product, u32)>,
    remarks: Remarks,
}

impl Way {
    fn begin(request: &Request<'_>) -> Result<Self, EngineError> {
        // Children work in a directory of their own.
        let document = std::path::absolute(request.source)
            .map_err(|error| EngineError::service("the source has no path", error))?;
        Ok(Self {
            document,
            format: request.claimed,
            budget: None,
            last: None,
            remarks: Remarks::default(),
        })
    }

    fn seal(self) -> Result<Artifact, EngineError> {
        let nothing = || EngineError::Service("a job without steps".to_owned());
        let (product, pages) = self.last.ok_or_else(nothing)?;
        let (size_bytes, sha256) = weigh(&self.document)?;
        let contents = contents(product.entries, self.format);
        let (content_type, extension) = match contents {
            None => (self.format.mime_type(), self.format.extension()),
            Some(_) => (ARCHIVE_MIME_TYPE, "zip"),
        };
        Ok(Artifact {
            path: self.document,
            content_type: content_type.to_owned(),
            extension: extension.to_owned(),
            size_bytes,
            sha256,
            pages,
            contents,
            warnings: self.remarks.warnings(),
            engine: self.remarks.engines.join(", "),
        })
    }
}

fn resolve(operation: &Operation, from: Format) -> Result<(Processor, Format), EngineError> {
    let name = operation.name();
    operation
        .resolve(from)
        .ok_or_else(|| EngineError::Service(format!("nobody does {name} on {from}")))
}

/// What is worth knowing about a result, gathered over all steps.
#[derive(Default)]
struct Remarks {
    engines: Vec<String>,
    noted: Vec<Remark>,
    changed: bool,
}

impl Remarks {
    fn note(&mut self, step: &Step<'_>, product: &Product) {
        self.engines.push(step.fingerprint());
        self.changed |= !product.unchanged;
        for remark in &product.remarks {
            if !self.noted.contains(remark) {
                self.noted.push(remark.clone());
            }
        }
    }

    fn warnings(&self) -> Vec<Warning> {
        let optimal = (!self.changed).then_some(&Remark::AlreadyOptimal);
        let remarks = optimal.into_iter().chain(&self.noted);
        remarks.map(Remark::warning).collect()
    }
}

fn contents(sizes: Vec<u64>, format: Format) -> Option<ArchiveContents> {
    (!sizes.is_empty()).then_some(ArchiveContents { format, sizes })
}
