//! Converts images to PDF with [`pdf::image_to_pdf`].

use domain::format::{Category, Format};
use pdf::text_drawing;
use task::{Inspection, Product, Task, TaskResult, engine_versions};

use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        from != Format::Heic && is_conversion(operation, from, &[Category::Image], &[Format::Pdf])
    },
    inspect: inspect::image,
    run: Run::Child(convert),
    verify: verify::image_to_pdf,
    // SVG is drawn by krilla, with the system's fonts.
    fingerprint: |_, _| {
        let (images, drawings) = (engine_versions::LOPDF, engine_versions::KRILLA);
        format!("{images} {drawings} {}", text_drawing::fingerprint())
    },
};

/// Converts an image. An SVG whose vector graphics look different from it becomes a picture.
fn convert(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let product = pdf::image_to_pdf::run(task, inspection)?;
    match task.from == Format::Svg && verify::image_to_pdf(task, &product).is_err() {
        true => pdf::image_to_pdf::write_rendered(task, &task.output()),
        false => Ok(product),
    }
}
