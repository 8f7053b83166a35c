//! Planning of a request: the steps of the job, their processor, and their price.

use thiserror::Error;

use crate::field::{self, FieldError};
use crate::format::Format;
use crate::operation::{
    COMPRESSIBLE, CompareOptions, CompareOutput, CompressOptions, ConvertOptions, Locale,
    OcrOptions, OcrOutput, Operation, Pixels,
};
use crate::plan::PlanLimits;
use crate::processor::Processor;

/// The requested work on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Operations that run first and are free, such as extracting the page that the request is about.
    pub before: Vec<Operation>,
    /// The requested operations, in order.
    pub operations: Vec<Operation>,
    /// The member of the request that contains the operations, such as `operations`; error paths begin with it.
    pub member: &'static str,
    /// The requested format of the result; by default, the format that the operations produce.
    pub target: Option<Format>,
    /// Whether the request is a pipeline. Pipelines have their own processor, regardless of their steps.
    pub pipeline: bool,
}

impl Work {
    /// Creates the work of a conversion.
    #[must_use]
    pub fn convert(target: Format) -> Self {
        Self {
            before: Vec::new(),
            operations: Vec::new(),
            member: "operations",
            target: Some(target),
            pipeline: false,
        }
    }

    /// Creates the work of a list of operations.
    #[must_use]
    pub fn steps(operations: Vec<Operation>, member: &'static str) -> Self {
        Self {
            before: Vec::new(),
            operations,
            member,
            target: None,
            pipeline: false,
        }
    }
}

/// The plan of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPlan {
    /// The steps in order, at least one.
    pub steps: Vec<Operation>,
    /// The processor of all steps.
    pub processor: Processor,
    /// The format of the result.
    pub format: Format,
    /// The price in credits.
    pub credits: u32,
}

/// Why a request cannot become a job.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WorkPlanError {
    /// The conversion is not supported.
    #[error("{}", .0.message)]
    Conversion(FieldError),
    /// A step does not support the output of the steps before it.
    #[error("{}", .0.message)]
    Step(FieldError),
    /// The result would exceed the limits of the plan.
    #[error("{}", .0.message)]
    OutputTooLarge(FieldError),
}

/// Plans `work` on a document of format `input`; `locale` is the default of the account.
///
/// # Errors
/// [`WorkPlanError`] with the path of the invalid member.
pub fn plan_work(
    input: Format,
    work: &Work,
    limits: &PlanLimits,
    locale: Option<Locale>,
) -> Result<WorkPlan, WorkPlanError> {
    let mut chain = Chain::new(input, work.pipeline, locale);
    for operation in &work.before {
        chain.add(operation.clone(), "$")?;
    }
    // The preceding operations produce the single page that the request is about.
    chain.several_files = false;
    for (index, operation) in work.operations.iter().enumerate() {
        let path = format!("$.{}[{index}]", work.member);
        check_sizes(operation, limits, &path)?;
        let last = index + 1 == work.operations.len();
        let operation = with_output(operation, work.target.filter(|_| last));
        chain.add(operation, &path)?;
    }
    chain.end(work)
}

/// The steps so far.
struct Chain {
    steps: Vec<Operation>,
    processors: Vec<Processor>,
    format: Format,
    several_files: bool,
    /// Whether the output of the steps can be opened only with a password.
    password_protected: bool,
    locale: Option<Locale>,
}

impl Chain {
    fn new(input: Format, pipeline: bool, locale: Option<Locale>) -> Self {
        Self {
            steps: Vec::new(),
            processors: Vec::from_iter(pipeline.then_some(Processor::ProcessPipeline)),
            format: input,
            several_files: false,
            password_protected: false,
            locale,
        }
    }

    fn push(&mut self, mut operation: Operation, processor: Processor) {
        if let (Operation::Convert(options), Some(locale)) = (&mut operation, self.locale) {
            options.localize(self.format, locale);
        }
        self.processors.push(processor);
        self.steps.push(operation);
    }

    fn add(&mut self, operation: Operation, path: &str) -> Result<(), WorkPlanError> {
        let at = field::member(path, "operation");
        let name = operation.name();
        if self.several_files {
            let message = "no step can follow one that produces several files";
            return Err(step(at, message.to_owned()));
        }
        if self.password_protected && !operation.has_password() {
            let message = "only `decrypt`, or `convert` with `password`, can follow a step that sets a `userPassword`";
            return Err(step(at, message.to_owned()));
        }
        let operation = operation
            .on(self.format, path)
            .map_err(WorkPlanError::Step)?;
        let (processor, to) = operation.resolve(self.format).ok_or_else(|| {
            let format = self.format;
            match &operation {
                Operation::Convert(options) => {
                    let to = options.format;
                    step(
                        field::member(path, "format"),
                        format!("{format} cannot be converted to {to}"),
                    )
                }
                Operation::Compress(CompressOptions {
                    format: Some(to), ..
                }) if COMPRESSIBLE.contains(&format) => {
                    let names: Vec<&str> = COMPRESSIBLE.iter().map(|to| to.id()).collect();
                    let message = format!(
                        "{to} is not supported here; supported: {}",
                        names.join(" or ")
                    );
                    step(field::member(path, "format"), message)
                }
                _ => step(at, format!("{name} cannot be applied to {format}")),
            }
        })?;
        self.several_files = operation.produces_several_files(self.format);
        self.password_protected = operation.sets_password();
        self.push(operation, processor);
        self.format = to;
        Ok(())
    }

    /// Appends the conversion to the target if the steps produce another format.
    fn end(mut self, work: &Work) -> Result<WorkPlan, WorkPlanError> {
        let target = work.target.unwrap_or(self.format);
        let no_operations = work.operations.is_empty();
        if self.format != target || (no_operations && work.before.is_empty()) {
            let convert = Operation::Convert(ConvertOptions::to(target));
            if self.several_files {
                return Err(no_conversion_of_several_files(target));
            }
            if self.password_protected {
                return Err(no_conversion_of_protected(target));
            }
            let (processor, _) = convert
                .resolve(self.format)
                .ok_or_else(|| no_conversion(self.format, target))?;
            self.push(convert, processor);
        }
        Ok(WorkPlan {
            credits: self
                .steps
                .iter()
                .skip(work.before.len())
                .map(Operation::credits)
                .sum(),
            processor: one_processor(&self.processors),
            format: target,
            steps: self.steps,
        })
    }
}

/// The output of `ocr` and `compare` is written in the target format of the job, unless the step has its own `output`.
fn with_output(operation: &Operation, target: Option<Format>) -> Operation {
    let mut operation = operation.clone();
    match &mut operation {
        Operation::Ocr(OcrOptions { output, .. }) => {
            *output = output.or_else(|| OcrOutput::of(target?));
        }
        Operation::Compare(CompareOptions { output, .. }) => {
            *output = output.or_else(|| CompareOutput::of(target?));
        }
        _ => {}
    }
    operation
}

fn check_sizes(
    operation: &Operation,
    limits: &PlanLimits,
    path: &str,
) -> Result<(), WorkPlanError> {
    for (name, side) in requested_sides(operation) {
        if side.is_some_and(|side| side.value() > limits.image_side) {
            let message = format!(
                "the {} plan allows {} pixels per side",
                limits.plan, limits.image_side
            );
            let path = field::member(path, name);
            let error = FieldError::new(path, "output_too_large", message);
            return Err(WorkPlanError::OutputTooLarge(error));
        }
    }
    Ok(())
}

/// Returns the sides of the image that a step requests.
fn requested_sides(operation: &Operation) -> [(&'static str, Option<Pixels>); 2] {
    match operation {
        Operation::Compress(options) => [
            ("maxWidth", options.max_width),
            ("maxHeight", options.max_height),
        ],
        Operation::Resize(options) => [("width", options.width), ("height", options.height)],
        _ => [("width", None), ("height", None)],
    }
}

fn step(path: String, message: String) -> WorkPlanError {
    WorkPlanError::Step(FieldError::new(path, "invalid_step", message))
}

fn no_conversion(from: Format, to: Format) -> WorkPlanError {
    unconvertible(format!(
        "{from} cannot be converted to {to}; see GET /formats"
    ))
}

fn no_conversion_of_several_files(to: Format) -> WorkPlanError {
    unconvertible(format!(
        "the last operation produces several files, which cannot be converted to {to}"
    ))
}

fn no_conversion_of_protected(to: Format) -> WorkPlanError {
    unconvertible(format!(
        "the last operation produces a password-protected PDF, which cannot be converted to {to}"
    ))
}

fn unconvertible(message: String) -> WorkPlanError {
    let error = FieldError::new("$.format", "unsupported_conversion", message);
    WorkPlanError::Conversion(error)
}

/// Returns the processor of the job: the common processor of all steps, else the pipeline processor.
fn one_processor(processors: &[Processor]) -> Processor {
    match processors.first() {
        Some(first) if processors.iter().all(|processor| processor == first) => *first,
        _ => Processor::ProcessPipeline,
    }
}

#[cfg(test)]
mod tests;
