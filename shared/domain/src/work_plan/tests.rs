//! Steps, prices, processors and errors of work plans.

use serde_json::{Value, json};

use super::*;
use crate::plan::Plan;

fn plan(input: Format, target: Option<Format>, items: &Value) -> Result<WorkPlan, WorkPlanError> {
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
fn the_default_locale_applies_to_conversions_that_have_one() {
    let german: Option<Locale> = "de-DE".parse().ok();
    let locales = |input, items: &Value, target| {
        let items = items.as_array().unwrap().iter();
        let operations = items.map(|item| Operation::read(item, "$").unwrap());
        let work = Work {
            target: Some(target),
            ..Work::steps(operations.collect(), "operations")
        };
        let plan = plan_work(input, &work, Plan::Pro.limits(), german).unwrap();
        let steps = plan.steps.into_iter().map(|step| match step {
            Operation::Convert(options) => options.locale.map(Locale::tag),
            _ => None,
        });
        steps.collect::<Vec<_>>()
    };
    let given = json!([{"operation": "convert", "format": "pdf", "locale": "fr-FR"}]);
    assert_eq!(
        locales(Format::Docx, &json!([]), Format::Pdf),
        [Some("de-DE")]
    );
    assert_eq!(locales(Format::Docx, &given, Format::Pdf), [Some("fr-FR")]);
    assert_eq!(
        locales(Format::Docx, &given, Format::Png),
        [Some("fr-FR"), None]
    );
    assert_eq!(locales(Format::Html, &json!([]), Format::Png), [None]);
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
    let steps =
        json!([{"operation": "convert", "format": "pdf"}, {"operation": "ocr", "mode": "force"}]);
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
