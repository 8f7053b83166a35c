//! Planning of a request: the steps of the job, their processor, and their price.

use thiserror::Error;

use crate::field::{self, FieldError};
use crate::format::Format;
use crate::operation::{
    COMPRESSIBLE, CompressOptions, ConvertOptions, Locale, OcrOptions, OcrOutput, Operation, Pixels,
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
        let operation = with_ocr_output(operation, work.target.filter(|_| last));
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
            let message = "no step can follow one that produces a file per page or range";
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

/// OCR output is written in the target format of the job, unless the step has its own `output`.
fn with_ocr_output(operation: &Operation, target: Option<Format>) -> Operation {
    match (operation, target.and_then(OcrOutput::of)) {
        (Operation::Ocr(options), output @ Some(_)) if options.output.is_none() => {
            Operation::Ocr(OcrOptions {
                output,
                ..options.clone()
            })
        }
        _ => operation.clone(),
    }
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
        "the last operation produces a file per page or range, which cannot be converted to {to}"
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
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::plan::Plan;

    fn plan(
        input: Format,
        target: Option<Format>,
        items: &Value,
    ) -> Result<WorkPlan, WorkPlanError> {
        plan_for(Plan::Free, input, target, items)
    }

    fn plan_for(
        plan: Plan,
        input: Format,
        target: Option<Format>,
        items: &Value,
    ) -> Result<WorkPlan, WorkPlanError> {
        let items = items.as_array().unwrap().iter();
        let work = Work {
            before: Vec::new(),
            operations: items
                .map(|item| Operation::read(item, "$").unwrap())
                .collect(),
            member: "operations",
            target,
            pipeline: false,
        };
        plan_work(input, &work, plan.limits(), None)
    }

    fn rejected(input: Format, target: Option<Format>, items: &Value) -> (String, String) {
        match plan(input, target, items).unwrap_err() {
            WorkPlanError::Conversion(error)
            | WorkPlanError::Step(error)
            | WorkPlanError::OutputTooLarge(error) => (error.path, error.code),
        }
    }

    fn compress() -> Value {
        json!([{"operation": "compress"}])
    }

    #[test]
    fn a_plain_conversion_costs_two_credits() {
        let plan = plan(Format::Docx, Some(Format::Pdf), &json!([])).unwrap();
        assert_eq!(
            (plan.credits, plan.processor),
            (2, Processor::ProcessOffice)
        );
    }

    #[test]
    fn operations_cost_their_sum_plus_two_for_a_final_conversion() {
        let same = plan(Format::Jpeg, Some(Format::Jpeg), &compress()).unwrap();
        assert_eq!((same.credits, same.steps.len()), (1, 1));
        let chained = plan(Format::Jpeg, Some(Format::Pdf), &compress()).unwrap();
        assert_eq!((chained.credits, chained.steps.len()), (3, 2));
        assert_eq!(chained.processor, Processor::ProcessImage);
    }

    #[test]
    fn steps_of_several_processors_are_a_pipeline() {
        let steps = json!([{"operation": "convert", "format": "pdf"}, {"operation": "ocr", "mode": "force"}]);
        let plan = plan(Format::Docx, None, &steps).unwrap();
        assert_eq!(plan.processor, Processor::ProcessPipeline);
        assert_eq!((plan.credits, plan.format), (5, Format::Txt));
    }

    #[test]
    fn ocr_output_follows_the_target_format() {
        let steps = json!([{"operation": "ocr"}]);
        for (target, credits, format) in [
            (Some(Format::Pdf), 3, Format::Pdf),
            (Some(Format::Json), 3, Format::Json),
            (Some(Format::Txt), 3, Format::Txt),
            (None, 3, Format::Txt),
        ] {
            let plan = plan(Format::Png, target, &steps).unwrap();
            assert_eq!(
                (plan.credits, plan.format, plan.steps.len()),
                (credits, format, 1)
            );
        }
        let with_output = json!([{"operation": "ocr", "output": "text"}]);
        let plan = plan(Format::Png, Some(Format::Pdf), &with_output).unwrap();
        assert_eq!((plan.credits, plan.steps.len()), (5, 2));
    }

    #[test]
    fn a_conversion_to_the_same_format_is_rejected() {
        let none = json!([]);
        let expected = ("$.format".to_owned(), "unsupported_conversion".to_owned());
        assert_eq!(rejected(Format::Pdf, Some(Format::Pdf), &none), expected);
    }

    #[test]
    fn an_unsupported_step_is_reported_with_its_path() {
        let pdf = Some(Format::Pdf);
        for (input, target, steps, path) in [
            (Format::Docx, None, compress(), "[0].operation"),
            (
                Format::Pdf,
                pdf,
                json!([{"operation": "ocr"}, {"operation": "merge", "sourceKeys": ["src_01kaj2v7w2q9r8s5t4v3w2x1y0"]}]),
                "[1].operation",
            ),
            (
                Format::Pdf,
                pdf,
                json!([{"operation": "split"}, {"operation": "optimize"}]),
                "[1].operation",
            ),
            (
                Format::Docx,
                None,
                json!([{"operation": "convert", "format": "png"}]),
                "[0].format",
            ),
            (
                Format::Pdf,
                None,
                json!([{"operation": "compress", "maxWidth": 10}]),
                "[0].maxWidth",
            ),
            (
                Format::Jpeg,
                None,
                json!([{"operation": "compress", "format": "gif"}]),
                "[0].format",
            ),
            (
                Format::Gif,
                None,
                json!([{"operation": "compress", "format": "png"}]),
                "[0].operation",
            ),
        ] {
            let expected = (format!("$.operations{path}"), "invalid_step".to_owned());
            assert_eq!(rejected(input, target, &steps), expected, "{steps}");
        }
    }

    #[test]
    fn no_step_follows_one_with_several_files() {
        let split = json!([{"operation": "split"}]);
        let expected = ("$.format".to_owned(), "unsupported_conversion".to_owned());
        assert_eq!(rejected(Format::Pdf, Some(Format::Txt), &split), expected);
        assert_eq!(
            plan(Format::Pdf, Some(Format::Pdf), &split)
                .unwrap()
                .credits,
            1
        );
    }

    #[test]
    fn a_protected_output_requires_the_password_in_the_next_step() {
        let encrypt = |options: Value| {
            let mut step = json!({"operation": "encrypt"});
            step.as_object_mut()
                .unwrap()
                .extend(options.as_object().unwrap().clone());
            step
        };
        let (user, owner) = (
            encrypt(json!({"userPassword": "secret"})),
            encrypt(json!({"ownerPassword": "secret"})),
        );
        let rotate = json!({"operation": "rotate", "angle": 90});
        let rejected_at = |steps: &Value| rejected(Format::Pdf, None, steps).0;
        for follower in [&rotate, &json!({"operation": "decrypt"}), &user] {
            let steps = json!([user, follower]);
            assert_eq!(rejected_at(&steps), "$.operations[1].operation", "{steps}");
        }
        let decrypt = json!({"operation": "decrypt", "password": "secret"});
        for steps in [
            json!([user, decrypt, rotate]),
            json!([owner, rotate]),
            json!([user, {"operation": "convert", "format": "txt", "password": "secret"}]),
        ] {
            assert!(plan(Format::Pdf, None, &steps).is_ok(), "{steps}");
        }
        let expected = ("$.format".to_owned(), "unsupported_conversion".to_owned());
        assert_eq!(
            rejected(Format::Pdf, Some(Format::Txt), &json!([user])),
            expected
        );
    }

    #[test]
    fn a_size_above_the_plan_limit_is_rejected() {
        for (steps, path) in [
            (
                json!([{"operation": "compress", "maxWidth": 4_001}]),
                "maxWidth",
            ),
            (json!([{"operation": "resize", "height": 4_001}]), "height"),
        ] {
            let expected = (
                format!("$.operations[0].{path}"),
                "output_too_large".to_owned(),
            );
            assert_eq!(rejected(Format::Png, Some(Format::Png), &steps), expected);
            assert!(plan_for(Plan::Pro, Format::Png, Some(Format::Png), &steps).is_ok());
        }
    }
}
