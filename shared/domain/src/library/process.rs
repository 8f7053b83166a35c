//! What may be asked of a saved document or one of its pages, and the work that it makes.

use crate::field::FieldError;
use crate::format::{Category, Format};
use crate::operation::{ConvertOptions, Operation, PageRanges, PagesOptions};
use crate::work_plan::Work;

/// What is asked of a saved document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Processing {
    /// A conversion.
    Convert(Format),
    /// Operations on an image, or its conversion.
    Image {
        /// The operations, in order.
        steps: Vec<Operation>,
        /// The format of the result; what the operations leave when there is none.
        format: Option<Format>,
    },
    /// A pipeline.
    Pipeline {
        /// Its steps, in order.
        steps: Vec<Operation>,
        /// The member of the request that holds them.
        member: &'static str,
        /// The format of the result; what the steps leave when there is none.
        format: Option<Format>,
    },
}

/// A page of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageOf {
    /// Its place, from 1 on.
    pub number: u32,
    /// How many pages there are.
    pub count: u32,
}

impl Processing {
    /// Operations on an image.
    ///
    /// # Errors
    /// The first of `steps` that is none.
    pub fn image(steps: Vec<Operation>, format: Option<Format>) -> Result<Self, FieldError> {
        match steps.iter().position(|step| !is_of_images(step)) {
            None => Ok(Self::Image { steps, format }),
            Some(place) => {
                let path = format!("$.steps[{place}].operation");
                let message = "must be compress, resize, crop, rotate or cleanup; use `pipeline` for other operations";
                Err(FieldError::new(path, "invalid_step", message))
            }
        }
    }

    /// The work on a whole document.
    #[must_use]
    pub fn work(&self) -> Work {
        match self.clone() {
            Self::Convert(format) => Work::convert(format),
            Self::Image { steps, format } => Work {
                target: format,
                ..Work::steps(steps, "steps")
            },
            Self::Pipeline {
                steps,
                member,
                format,
            } => Work {
                target: format,
                pipeline: true,
                ..Work::steps(steps, member)
            },
        }
    }

    /// The work on a page of a document of format `input`; `None` where a page cannot be had by itself. Taking the page
    /// out, and drawing it for operations on images that do not read `input`, is free where something else is asked for.
    #[must_use]
    pub fn work_on_page(&self, input: Format, page: PageOf) -> Option<Work> {
        let work = self.work();
        let extract = Operation::ExtractPages(PagesOptions {
            pages: PageRanges::page(page.number),
        });
        if extract.resolve(input).is_none() {
            return (page.count == 1).then_some(work);
        }
        if work.operations.is_empty() && work.target == Some(input) {
            return Some(Work {
                operations: vec![extract],
                ..work
            });
        }
        let draw = Operation::Convert(ConvertOptions::to(Format::Png));
        let taken_out = (page.count > 1).then_some(extract);
        let drawn = self.draws(input).then_some(draw);
        Some(Work {
            before: taken_out.into_iter().chain(drawn).collect(),
            ..work
        })
    }

    /// Whether a page of format `input` has to be drawn first, because an operation on images does not read it.
    fn draws(&self, input: Format) -> bool {
        match self {
            Self::Image { steps, .. } => steps.iter().any(|step| !reads_as_image(step, input)),
            Self::Convert(_) | Self::Pipeline { .. } => false,
        }
    }
}

/// Whether an operation on images reads this format as one. (`rotate` turns the pages of a PDF, and `compress` makes a PDF
/// smaller; both leave it a PDF.)
fn reads_as_image(step: &Operation, input: Format) -> bool {
    input.facts().category == Category::Image && step.resolve(input).is_some()
}

fn is_of_images(step: &Operation) -> bool {
    matches!(
        step,
        Operation::Compress(_)
            | Operation::Resize(_)
            | Operation::Crop(_)
            | Operation::Rotate(_)
            | Operation::Cleanup(_)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::plan::Plan;
    use crate::processor::Processor;
    use crate::work_plan::{WorkPlan, plan_work};

    const SECOND: PageOf = PageOf {
        number: 2,
        count: 3,
    };
    const ONLY: PageOf = PageOf {
        number: 1,
        count: 1,
    };

    fn steps(items: &Value) -> Vec<Operation> {
        let items = items.as_array().unwrap().iter();
        items
            .map(|item| Operation::read(item, "$").unwrap())
            .collect()
    }

    fn planned(input: Format, work: &Work) -> WorkPlan {
        plan_work(input, work, Plan::Business.limits()).unwrap()
    }

    fn names(plan: &WorkPlan) -> Vec<&str> {
        plan.steps.iter().map(Operation::name).collect()
    }

    #[test]
    fn operations_on_images_are_told_from_others() {
        let rotated = steps(
            &json!([{"operation": "rotate", "angle": 90}, {"operation": "cleanup", "trim": true}]),
        );
        assert!(Processing::image(rotated, None).is_ok());
        let read = steps(&json!([{"operation": "compress"}, {"operation": "ocr"}]));
        let fault = Processing::image(read, None).unwrap_err();
        assert_eq!(
            (fault.path.as_str(), fault.code.as_str()),
            ("$.steps[1].operation", "invalid_step")
        );
    }

    #[test]
    fn a_page_is_taken_out_and_drawn_for_nothing() {
        let crop = json!([{"operation": "crop", "x": 0, "y": 0, "width": 9, "height": 9}]);
        let crop = Processing::image(steps(&crop), None).unwrap();
        for (page, expected) in [
            (SECOND, vec!["extract-pages", "convert", "crop"]),
            (ONLY, vec!["convert", "crop"]),
        ] {
            let plan = planned(Format::Pdf, &crop.work_on_page(Format::Pdf, page).unwrap());
            assert_eq!(names(&plan), expected);
            assert_eq!((plan.credits, plan.format), (1, Format::Png));
            assert_eq!(plan.processor, Processor::ProcessPipeline);
        }
        let plan = planned(Format::Png, &crop.work_on_page(Format::Png, ONLY).unwrap());
        assert_eq!((names(&plan), plan.credits), (vec!["crop"], 1));
    }

    #[test]
    fn a_page_becomes_a_document_of_its_own() {
        for asked in [
            Processing::Convert(Format::Pdf),
            Processing::image(Vec::new(), Some(Format::Pdf)).unwrap(),
        ] {
            for page in [SECOND, ONLY] {
                let work = asked.work_on_page(Format::Pdf, page).unwrap();
                let plan = planned(Format::Pdf, &work);
                assert_eq!((names(&plan), plan.credits), (vec!["extract-pages"], 1));
            }
        }
        let picture = Processing::Convert(Format::Jpeg);
        let work = picture.work_on_page(Format::Pdf, SECOND).unwrap();
        let plan = planned(Format::Pdf, &work);
        assert_eq!(
            (names(&plan), plan.credits),
            (vec!["extract-pages", "convert"], 2)
        );
    }

    #[test]
    fn a_page_among_several_pictures_is_taken_out() {
        let image = |items: Value| Processing::image(steps(&items), None).unwrap();
        let resize = json!({"operation": "resize", "width": 9});
        let read = steps(&json!([{"operation": "ocr"}]));
        let read = Processing::Pipeline {
            steps: read,
            member: "steps",
            format: None,
        };
        for (asked, expected, credits, format) in [
            (
                Processing::Convert(Format::Png),
                vec!["extract-pages", "convert"],
                2,
                Format::Png,
            ),
            (
                Processing::Convert(Format::Tiff),
                vec!["extract-pages"],
                1,
                Format::Tiff,
            ),
            (
                image(json!([resize])),
                vec!["extract-pages", "resize"],
                1,
                Format::Tiff,
            ),
            (
                image(json!([resize, {"operation": "compress"}])),
                vec!["extract-pages", "convert", "resize", "compress"],
                2,
                Format::Png,
            ),
            (read, vec!["extract-pages", "ocr"], 3, Format::Txt),
        ] {
            let work = asked.work_on_page(Format::Tiff, SECOND).unwrap();
            let plan = planned(Format::Tiff, &work);
            assert_eq!(
                (names(&plan), plan.credits, plan.format),
                (expected, credits, format)
            );
        }
        let convert = Processing::Convert(Format::Pdf);
        let work = convert.work_on_page(Format::Tiff, ONLY).unwrap();
        assert_eq!(names(&planned(Format::Tiff, &work)), ["convert"]);
        assert_eq!(convert.work_on_page(Format::Gif, SECOND), None);
    }
}
