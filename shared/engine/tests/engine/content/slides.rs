//! Mutations of pictures on slides.

use domain::format::Format;

use super::{ADDED_IMAGE, Change, Family, PAGE, check, keeps_images};

#[test]
fn a_picture_that_a_slide_misses_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let picture = ADDED_IMAGE.replace("<img", "<img width=90 height=90");
    let changed = [(Change::Image, format!("{}{picture}", PAGE[0]))];
    let page = Family::written(directory.path(), Format::Html, PAGE[0], &changed);
    let mut families = page.chain(&[Format::Pdf, Format::Pptx, Format::Odp]);
    families.push(families[2].saved(Format::Ppt));
    check(&families[2..], |_, _, to, found| {
        keeps_images(to).then_some(found.images == 1)
    });
}
