//! Processing of a saved document or of one of its pages.

use crate::field::FieldError;
use crate::format::{Category, Format};
use crate::operation::{ConvertOptions, Operation, PageRanges, PagesOptions};
use crate::work_plan::Work;

/// The requested processing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Processing {
    /// A conversion.
    Convert(Format),
    /// Image operations with an optional conversion.
    Image {
        /// The operations, in order.
        steps: Vec<Operation>,
        /// Format of the result; by default, the format that the operations produce.
        format: Option<Format>,
    },
    /// A pipeline.
    Pipeline {
        /// The steps, in order.
        steps: Vec<Operation>,
        /// The member of the request that contains the steps.
        member: &'static str,
        /// Format of the result; by default, the format that the steps produce.
        format: Option<Format>,
    },
}

/// A page of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedPage {
    /// Page number, from 1.
    pub number: u32,
    /// Number of pages of the version.
    pub count: u32,
}

impl Processing {
    /// Creates processing with image operations.
    ///
    /// # Errors
    /// The first of `steps` that is not an image operation.
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

    /// Returns the work on a whole document.
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

    /// Returns the work on one page of a document of format `input`; `None` if single pages are not supported. Extracting the
    /// page, and rendering it for image operations that do not read `input`, is free if other operations follow.
    #[must_use]
    pub fn work_on_page(&self, input: Format, page: SelectedPage) -> Option<Work> {
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
        let render = Operation::Convert(ConvertOptions::to(Format::Png));
        let extracted = (page.count > 1).then_some(extract);
        let rendered = self.requires_rendering(input).then_some(render);
        Some(Work {
            before: extracted.into_iter().chain(rendered).collect(),
            ..work
        })
    }

    /// Whether a page of format `input` must be rendered first, because an image operation does not read it.
    fn requires_rendering(&self, input: Format) -> bool {
        match self {
            Self::Image { steps, .. } => steps.iter().any(|step| !reads_as_image(step, input)),
            Self::Convert(_) | Self::Pipeline { .. } => false,
        }
    }
}

/// Whether an image operation reads this format as an image. (`rotate` and `compress` read PDF, but produce PDF.)
fn reads_as_image(step: &Operation, input: Format) -> bool {
    input.spec().category == Category::Image && step.resolve(input).is_some()
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

    const SECOND: SelectedPage = SelectedPage {
        number: 2,
        count: 3,
    };
    const ONLY: SelectedPage = SelectedPage {
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
        plan_work(input, work, Plan::Business.limits(), None).unwrap()
    }

    fn names(plan: &WorkPlan) -> Vec<&str> {
        plan.steps.iter().map(Operation::name).collect()
    }

    #[test]
    fn only_image_operations_are_accepted() {
        let rotated = steps(
            &json!([{"operation": "rotate", "angle": 90}, {"operation": "cleanup", "trim": true}]),
        );
        assert!(Processing::image(rotated, None).is_ok());
        let read = steps(&json!([{"operation": "compress"}, {"operation": "ocr"}]));
        let error = Processing::image(read, None).unwrap_err();
        assert_eq!(
            (error.path.as_str(), error.code.as_str()),
            ("$.steps[1].operation", "invalid_step")
        );
    }

    #[test]
    fn extracting_and_rendering_a_page_is_free() {
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
    fn a_page_can_be_extracted_as_a_document() {
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
    fn a_page_of_a_tiff_is_extracted() {
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
