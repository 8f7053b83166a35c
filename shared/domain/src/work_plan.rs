//! From a request to the steps that will be done, who does them, and what they cost.

use thiserror::Error;

use crate::field::FieldError;
use crate::format::Format;
use crate::operation::{ConvertOptions, Operation, Processor};
use crate::plan::PlanLimits;

/// What a job will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPlan {
    /// The steps in order, at least one.
    pub steps: Vec<Operation>,
    /// Who does all of them.
    pub processor: Processor,
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

/// Plans `operations` on a document of format `input`, and then the conversion to `target` where they leave another.
///
/// # Errors
/// [`Unplannable`] with the path of what does not fit.
pub fn plan_work(
    input: Format,
    target: Format,
    operations: &[Operation],
    limits: &PlanLimits,
) -> Result<WorkPlan, Unplannable> {
    let mut steps = operations.to_vec();
    let mut left = input;
    let mut processors = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        check_size(operation, limits, index)?;
        let (processor, to) = operation
            .resolve(left)
            .ok_or_else(|| step_does_not_fit(operation, left, index))?;
        processors.push(processor);
        left = to;
    }
    if left != target || steps.is_empty() {
        let convert = Operation::Convert(ConvertOptions { format: target });
        let (processor, _) = convert
            .resolve(left)
            .ok_or_else(|| no_conversion(left, target))?;
        processors.push(processor);
        steps.push(convert);
    }
    Ok(WorkPlan {
        credits: steps.iter().map(Operation::credits).sum(),
        processor: one_processor(&processors)?,
        steps,
    })
}

fn check_size(operation: &Operation, limits: &PlanLimits, index: usize) -> Result<(), Unplannable> {
    let Operation::Compress(options) = operation else {
        return Ok(());
    };
    for (name, side) in [
        ("maxWidth", options.max_width),
        ("maxHeight", options.max_height),
    ] {
        if side.is_some_and(|side| side.value() > limits.image_side) {
            let message = format!(
                "the {} plan allows {} pixels a side",
                limits.plan, limits.image_side
            );
            let path = format!("$.operations[{index}].{name}");
            return Err(Unplannable::OutputTooLarge(FieldError::new(
                path,
                "output_too_large",
                message,
            )));
        }
    }
    Ok(())
}

fn step_does_not_fit(operation: &Operation, left: Format, index: usize) -> Unplannable {
    let message = format!("{} cannot be applied to {left}", operation.name());
    Unplannable::Step(FieldError::new(
        format!("$.operations[{index}].operation"),
        "invalid_step",
        message,
    ))
}

fn no_conversion(from: Format, to: Format) -> Unplannable {
    let message = format!("{from} cannot be converted to {to} (see GET /formats)");
    Unplannable::Conversion(FieldError::new(
        "$.format",
        "unsupported_conversion",
        message,
    ))
}

/// One job is done by one processor.
fn one_processor(processors: &[Processor]) -> Result<Processor, Unplannable> {
    match processors.first() {
        Some(first) if processors.iter().all(|processor| processor == first) => Ok(*first),
        _ => {
            let message =
                "one job cannot mix steps on office documents, PDF and images; use one job a kind";
            Err(Unplannable::Conversion(FieldError::new(
                "$.operations",
                "unsupported_conversion",
                message,
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::CompressOptions;
    use crate::plan::Plan;

    fn plan(
        input: Format,
        target: Format,
        operations: &[Operation],
    ) -> Result<WorkPlan, Unplannable> {
        plan_work(input, target, operations, Plan::Free.limits())
    }

    fn compress() -> Operation {
        Operation::Compress(CompressOptions::default())
    }

    #[test]
    fn a_plain_conversion_costs_two_credits() {
        let plan = plan(Format::Docx, Format::Pdf, &[]).unwrap();
        assert_eq!(
            (plan.credits, plan.processor),
            (2, Processor::ProcessOffice)
        );
    }

    #[test]
    fn operations_cost_their_sum_and_two_more_when_another_format_is_wanted() {
        assert_eq!(
            plan(Format::Jpeg, Format::Jpeg, &[compress()])
                .unwrap()
                .credits,
            1
        );
        let chained = plan(Format::Jpeg, Format::Pdf, &[compress()]).unwrap();
        assert_eq!((chained.credits, chained.steps.len()), (3, 2));
    }

    #[test]
    fn the_same_format_without_operations_is_no_work() {
        assert!(
            matches!(plan(Format::Pdf, Format::Pdf, &[]), Err(Unplannable::Conversion(fault)) if fault.path == "$.format")
        );
    }

    #[test]
    fn a_step_that_does_not_fit_is_named() {
        let refused = plan(Format::Pdf, Format::Pdf, &[compress()]);
        assert!(
            matches!(refused, Err(Unplannable::Step(fault)) if fault.path == "$.operations[0].operation")
        );
    }

    #[test]
    fn a_size_above_the_plan_is_refused() {
        let wide = Operation::Compress(CompressOptions {
            max_width: Some(4_001.try_into().unwrap()),
            ..Default::default()
        });
        let refused = plan(Format::Png, Format::Png, std::slice::from_ref(&wide));
        assert!(
            matches!(refused, Err(Unplannable::OutputTooLarge(fault)) if fault.path == "$.operations[0].maxWidth")
        );
        assert!(plan_work(Format::Png, Format::Png, &[wide], Plan::Pro.limits()).is_ok());
    }
}
