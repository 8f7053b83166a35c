//! Runs the steps of a job in order and returns a verified result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::{ARCHIVE_MIME_TYPE, ArchiveContents, JobWarning};
use domain::limits::work_limit;
use domain::ocr_part::{OcrPart, PAGES_EXTENSION, PAGES_MIME_TYPE};
use domain::operation::Operation;
use domain::processor::Processor;
use sandbox::{Launcher, Zygote};
use task::{Product, Warning, WebAccess};

use crate::artifact::size_and_sha256;
use crate::budget::Budget;
use crate::error::EngineError;
use crate::installed::{Browser, Ghostscript, Heif, Installed, Models, Office, Pdfium};
use crate::modules::Modules;
use crate::prewarmed::PrewarmedBrowser;
use crate::request::{Artifact, Request};
use crate::step::Step;

/// The engines of an engine function.
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
    /// Finds the engines of these functions: one when deployed, several in tests. `launcher` starts an executable whose
    /// `main` calls [`crate::child`] first, with the same modules. Does not wait for the engines' versions.
    ///
    /// # Errors
    /// [`EngineError::Service`] that names the missing engine.
    pub fn discover(
        launcher: Launcher,
        modules: Modules,
        functions: &[EngineFunction],
    ) -> Result<Self, EngineError> {
        let has = |function| functions.contains(&function);
        let office = has(EngineFunction::EngineOffice);
        let tesseract = has(EngineFunction::EngineOcr);
        let browser = has(EngineFunction::EngineWeb);
        let heif = has(EngineFunction::EngineImage);
        // Every function writes or reads PDF.
        let pdfium = Pdfium::find()?;
        let zygote = Zygote::new(launcher.clone(), &pdfium.library);
        let installed = Installed {
            heif: heif.then(Heif::find).transpose()?,
            ghostscript: office.then(Ghostscript::find).transpose()?,
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

    /// Enables conversion of web pages. Without it only documents are converted, which need no network.
    #[must_use]
    pub fn with_web(mut self, web: Arc<dyn WebAccess>) -> Self {
        self.web = Some(web);
        self
    }

    /// Prewarms a browser now, and another one after each document. The scratch directories of requests must be on the same
    /// disk as `base`.
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

    /// Starts the zygotes without waiting for them, so that they are ready for the first document.
    ///
    /// # Errors
    /// [`EngineError::Service`] if the zygote of LibreOffice cannot be started.
    pub fn warm_up(&self) -> Result<(), EngineError> {
        self.zygote.warm_up();
        match &self.installed.office {
            Some(office) => Ok(office.zygote.warm_up()?),
            None => Ok(()),
        }
    }

    /// Runs all steps and verifies the result of each. Blocks.
    ///
    /// # Errors
    /// [`EngineError`]; no process of the job is alive after any error.
    pub fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        let result = self.run_steps(request);
        self.refill();
        result
    }

    fn run_steps(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        self.installed.check()?;
        let mut state = JobState::begin(request)?;
        for (index, operation) in request.steps.iter().enumerate() {
            self.advance(request, &mut state, index, operation)?;
        }
        (request.progress)(100);
        state.into_artifact()
    }

    /// Returns the engines that run an operation on a format, with their versions and font set; `None` if no module
    /// implements it. Blocks until the versions are known.
    ///
    /// # Errors
    /// [`EngineError::Service`] that names an engine that is outdated or does not work.
    pub fn fingerprint(
        &self,
        operation: &Operation,
        from: Format,
    ) -> Result<Option<String>, EngineError> {
        self.installed.check()?;
        let resolved = operation.resolve(from);
        let module = self.modules.find(operation, from);
        Ok(resolved
            .zip(module)
            .map(|((_, to), module)| (module.fingerprint)(&self.installed, to)))
    }

    fn advance(
        &self,
        request: &Request<'_>,
        state: &mut JobState,
        index: usize,
        operation: &Operation,
    ) -> Result<(), EngineError> {
        let (processor, to) = resolve(operation, state.format)?;
        let unlimited =
            || EngineError::Service(format!("no work limit is defined for {}", operation.name()));
        let limit = work_limit(operation.name(), processor).ok_or_else(unlimited)?;
        let budget = state.budget(processor)?;
        let step = Step {
            modules: self.modules,
            engines: (&self.zygote, &self.installed),
            web: self.web.as_deref(),
            prewarmed: self.prewarmed.as_deref(),
            request,
            index,
            operation,
            source: &state.document,
            from: state.format,
            to,
            limit,
            budget,
        };
        let done = step.run()?;
        state.summary.record(&step, &done.product);
        state.document = done.path;
        state.format = to;
        state.is_file_of_pages = matches!(request.part, Some(OcrPart::Pages { .. }));
        state.last = Some((done.product, done.pages));
        Ok(())
    }
}

/// The document after the steps run so far.
struct JobState {
    document: PathBuf,
    format: Format,
    /// Whether the document is a file of recognized pages, which OCR of a range writes.
    is_file_of_pages: bool,
    budget: Option<Budget>,
    last: Option<(Product, u32)>,
    summary: StepSummary,
}

impl JobState {
    fn begin(request: &Request<'_>) -> Result<Self, EngineError> {
        // Children have their own working directory, so the path must be absolute.
        let document = std::path::absolute(request.source).map_err(|error| {
            EngineError::service("the path of the source cannot be made absolute", error)
        })?;
        Ok(Self {
            document,
            format: request.declared_format,
            is_file_of_pages: false,
            budget: None,
            last: None,
            summary: StepSummary::default(),
        })
    }

    /// The budget, which begins with the first step.
    fn budget(&mut self, processor: Processor) -> Result<Budget, EngineError> {
        let function = EngineFunction::of(processor);
        let none = || EngineError::Service(format!("{} has no engines", processor.name()));
        let function = function.ok_or_else(none)?;
        Ok(*self
            .budget
            .get_or_insert_with(|| Budget::begin(function.resources())))
    }

    fn into_artifact(self) -> Result<Artifact, EngineError> {
        let nothing = || EngineError::Service("the job has no steps".to_owned());
        let (product, pages) = self.last.ok_or_else(nothing)?;
        let (size_bytes, sha256) = size_and_sha256(&self.document)?;
        let contents = contents(product, self.format);
        let (content_type, extension) = match contents {
            None if self.is_file_of_pages => (PAGES_MIME_TYPE, PAGES_EXTENSION),
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
            warnings: self.summary.warnings(),
            engine: self.summary.engines.join(", "),
        })
    }
}

fn resolve(operation: &Operation, from: Format) -> Result<(Processor, Format), EngineError> {
    let name = operation.name();
    operation.resolve(from).ok_or_else(|| {
        EngineError::Service(format!("no engine function implements {name} on {from}"))
    })
}

/// Engines and warnings of all steps.
#[derive(Default)]
struct StepSummary {
    engines: Vec<String>,
    warnings: Vec<Warning>,
    changed: bool,
}

impl StepSummary {
    fn record(&mut self, step: &Step<'_>, product: &Product) {
        self.engines.push(step.fingerprint());
        self.changed |= !product.unchanged;
        for warning in &product.warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }

    fn warnings(&self) -> Vec<JobWarning> {
        let optimal = (!self.changed).then_some(&Warning::AlreadyOptimal);
        let warnings = optimal.into_iter().chain(&self.warnings);
        warnings.map(Warning::to_job_warning).collect()
    }
}

fn contents(product: Product, format: Format) -> Option<ArchiveContents> {
    let (sizes, images) = (product.entries, product.images);
    (!sizes.is_empty()).then_some(ArchiveContents {
        format,
        sizes,
        images,
    })
}
