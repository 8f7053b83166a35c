//! From a request to the steps that will be done, who does them, and what they cost.

use thiserror::Error;

use crate::field::{self, FieldError};
use crate::format::Format;
use crate::operation::{
    COMPRESSIBLE, CompressOptions, ConvertOptions, OcrOptions, OcrOutput, Operation, Pixels,
};
use crate::plan::PlanLimits;
use crate::processor::Processor;

/// What is wanted of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// What is done before, free of charge, such as taking out the page that the request is about.
    pub before: Vec<Operation>,
    /// What is done, in order.
    pub operations: Vec<Operation>,
    /// The member of the request that holds them, such as `operations`; paths of faults begin with it.
    pub member: &'static str,
    /// The format of the result; what the operations leave when there is none.
    pub target: Option<Format>,
    /// Whether it is a pipeline, which has a worker of its own whatever its steps are.
    pub pipeline: bool,
}

impl Work {
    /// A conversion.
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

    /// Operations and nothing else.
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

/// What a job will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPlan {
    /// The steps in order, at least one.
    pub steps: Vec<Operation>,
    /// Who does all of them.
    pub processor: Processor,
    /// What they leave.
    pub format: Format,
    /// The price in credits.
    pub credits: u32,
}

/// Why a request cannot become a job.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unplannable {
    /// No engine turns this into that.
    #[error("{}", .0.message)]
    Conversion(FieldError),
    /// A step does not fit what the steps before it leave.
    #[error("{}", .0.message)]
    Step(FieldError),
    /// The result would be larger than the plan allows.
    #[error("{}", .0.message)]
    OutputTooLarge(FieldError),
}

/// Plans `work` on a document of format `input`.
///
/// # Errors
/// [`Unplannable`] with the path of what does not fit.
pub fn plan_work(input: Format, work: &Work, limits: &PlanLimits) -> Result<WorkPlan, Unplannable> {
    let mut chain = Chain::begin(input, work.pipeline);
    for operation in &work.before {
        chain.add(operation.clone(), "$")?;
    }
    // What goes before leaves the one page that the request is about.
    chain.several = false;
    for (index, operation) in work.operations.iter().enumerate() {
        let path = format!("$.{}[{index}]", work.member);
        check_sizes(operation, limits, &path)?;
        let last = index + 1 == work.operations.len();
        let operation = towards(operation, work.target.filter(|_| last));
        chain.add(operation, &path)?;
    }
    chain.end(work)
}

/// The steps so far.
struct Chain {
    steps: Vec<Operation>,
    processors: Vec<Processor>,
    left: Format,
    several: bool,
    /// Whether what is left opens only with a password.
    locked: bool,
}

impl Chain {
    fn begin(input: Format, pipeline: bool) -> Self {
        Self {
            steps: Vec::new(),
            processors: Vec::from_iter(pipeline.then_some(Processor::ProcessPipeline)),
            left: input,
            several: false,
            locked: false,
        }
    }

    fn add(&mut self, operation: Operation, path: &str) -> Result<(), Unplannable> {
        let at = field::member(path, "operation");
        let name = operation.name();
        if self.several {
            let message = "nothing can follow a step that leaves one file for each page or range";
            return Err(step(at, message.to_owned()));
        }
        if self.locked && !operation.is_given_password() {
            let message = "only `decrypt`, or `convert` with `password`, can follow a step that sets a `userPassword`";
            return Err(step(at, message.to_owned()));
        }
        let operation = operation.on(self.left, path).map_err(Unplannable::Step)?;
        let (processor, to) = operation.resolve(self.left).ok_or_else(|| {
            let left = self.left;
            match &operation {
                Operation::Convert(options) => {
                    let to = options.format;
                    step(
                        field::member(path, "format"),
                        format!("{left} cannot be converted to {to}"),
                    )
                }
                Operation::Compress(CompressOptions {
                    format: Some(to), ..
                }) if COMPRESSIBLE.contains(&left) => {
                    let names: Vec<&str> = COMPRESSIBLE.iter().map(|to| to.id()).collect();
                    let message = format!("cannot be {to}, but {}", names.join(" or "));
                    step(field::member(path, "format"), message)
                }
                _ => step(at, format!("{name} cannot be applied to {left}")),
            }
        })?;
        self.several = operation.leaves_several(self.left);
        self.locked = operation.sets_password();
        self.processors.push(processor);
        self.steps.push(operation);
        self.left = to;
        Ok(())
    }

    /// Adds the conversion to the target where the steps leave another format.
    fn end(mut self, work: &Work) -> Result<WorkPlan, Unplannable> {
        let target = work.target.unwrap_or(self.left);
        let nothing_asked = work.operations.is_empty();
        if self.left != target || (nothing_asked && work.before.is_empty()) {
            let convert = Operation::Convert(ConvertOptions::to(target));
            if self.several {
                return Err(no_conversion_of_several(target));
            }
            if self.locked {
                return Err(no_conversion_of_locked(target));
            }
            let (processor, _) = convert
                .resolve(self.left)
                .ok_or_else(|| no_conversion(self.left, target))?;
            self.processors.push(processor);
            self.steps.push(convert);
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

/// What is recognised is written in the format that the job asks for, unless the step itself says otherwise.
fn towards(operation: &Operation, target: Option<Format>) -> Operation {
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

fn check_sizes(operation: &Operation, limits: &PlanLimits, path: &str) -> Result<(), Unplannable> {
    for (name, side) in asked_sides(operation) {
        if side.is_some_and(|side| side.value() > limits.image_side) {
            let message = format!(
                "the {} plan allows {} pixels a side",
                limits.plan, limits.image_side
            );
            let path = field::member(path, name);
            let fault = FieldError::new(path, "output_too_large", message);
            return Err(Unplannable::OutputTooLarge(fault));
        }
    }
    Ok(())
}

/// The sides of an image that a step asks for.
fn asked_sides(operation: &Operation) -> [(&'static str, Option<Pixels>); 2] {
    match operation {
        Operation::Compress(options) => [
            ("maxWidth", options.max_width),
            ("maxHeight", options.max_height),
        ],
        Operation::Resize(options) => [("width", options.width), ("height", options.height)],
        _ => [("width", None), ("height", None)],
    }
}

fn step(path: String, message: String) -> Unplannable {
    Unplannable::Step(FieldError::new(path, "invalid_step", message))
}

fn no_conversion(from: Format, to: Format) -> Unplannable {
    unconvertible(format!(
        "{from} cannot be converted to {to} (see GET /formats)"
    ))
}

fn no_conversion_of_several(to: Format) -> Unplannable {
    unconvertible(format!(
        "the last operation leaves one file for each page or range, which cannot become {to} together"
    ))
}

fn no_conversion_of_locked(to: Format) -> Unplannable {
    unconvertible(format!(
        "the last operation leaves a PDF under a password, which cannot become {to}"
    ))
}

fn unconvertible(message: String) -> Unplannable {
    let fault = FieldError::new("$.format", "unsupported_conversion", message);
    Unplannable::Conversion(fault)
}

/// One job is done by one processor: that of all its steps, else the one that can do everything.
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

    fn plan(input: Format, target: Option<Format>, items: &Value) -> Result<WorkPlan, Unplannable> {
        plan_for(Plan::Free, input, target, items)
    }

    fn plan_for(
        plan: Plan,
        input: Format,
        target: Option<Format>,
        items: &Value,
    ) -> Result<WorkPlan, Unplannable> {
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
        plan_work(input, &work, plan.limits())
    }

    fn refused(input: Format, target: Option<Format>, items: &Value) -> (String, String) {
        match plan(input, target, items).unwrap_err() {
            Unplannable::Conversion(fault)
            | Unplannable::Step(fault)
            | Unplannable::OutputTooLarge(fault) => (fault.path, fault.code),
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
    fn operations_cost_their_sum_and_two_more_when_another_format_is_wanted() {
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
    fn ocr_writes_what_the_job_asks_for() {
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
        let said = json!([{"operation": "ocr", "output": "text"}]);
        let plan = plan(Format::Png, Some(Format::Pdf), &said).unwrap();
        assert_eq!((plan.credits, plan.steps.len()), (5, 2));
    }

    #[test]
    fn the_same_format_without_operations_is_no_work() {
        let none = json!([]);
        let expected = ("$.format".to_owned(), "unsupported_conversion".to_owned());
        assert_eq!(refused(Format::Pdf, Some(Format::Pdf), &none), expected);
    }

    #[test]
    fn a_step_that_does_not_fit_is_named() {
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
                json!([{"operation": "split"}, {"operation": "optimise"}]),
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
            assert_eq!(refused(input, target, &steps), expected, "{steps}");
        }
    }

    #[test]
    fn several_files_are_not_converted() {
        let split = json!([{"operation": "split"}]);
        let expected = ("$.format".to_owned(), "unsupported_conversion".to_owned());
        assert_eq!(refused(Format::Pdf, Some(Format::Txt), &split), expected);
        assert_eq!(
            plan(Format::Pdf, Some(Format::Pdf), &split)
                .unwrap()
                .credits,
            1
        );
    }

    #[test]
    fn what_is_under_a_password_goes_on_with_the_password_only() {
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
        let refused_at = |steps: &Value| refused(Format::Pdf, None, steps).0;
        for follower in [&rotate, &json!({"operation": "decrypt"}), &user] {
            let steps = json!([user, follower]);
            assert_eq!(refused_at(&steps), "$.operations[1].operation", "{steps}");
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
            refused(Format::Pdf, Some(Format::Txt), &json!([user])),
            expected
        );
    }

    #[test]
    fn a_size_above_the_plan_is_refused() {
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
            assert_eq!(refused(Format::Png, Some(Format::Png), &steps), expected);
            assert!(plan_for(Plan::Pro, Format::Png, Some(Format::Png), &steps).is_ok());
        }
    }
}
