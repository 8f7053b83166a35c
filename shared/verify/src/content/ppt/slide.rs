//! Reads the shapes of a slide [MS-PPT, 2.5.1].

use super::text::{TextBox, text_boxes};
use crate::content::art::{Images, Shape, records, shapes};
use crate::content::bytes::Bytes as _;
use crate::content::hidden_shape::HiddenShape;
use crate::content::item::Item;

const SLIDE_INFORMATION: u16 = 0x03f9;
const DRAWING: u16 = 0x040c;
const OUTLINE_REFERENCE: u16 = 0x0f9e;
const CLIENT_TEXT_BOX: u16 = 0xf00d;

const IS_HIDDEN: u16 = 1 << 2;

/// Calls `emit` with the items of a slide, unless it is hidden.
pub(super) fn read_slide(
    slide: &[u8],
    outline: Vec<TextBox<'_>>,
    images: &Images,
    emit: &mut dyn FnMut(Item<'_>),
) {
    let is_hidden = records(slide)
        .find(|record| record.kind == SLIDE_INFORMATION)
        .and_then(|record| record.data.u16_at(10))
        .is_some_and(|flags| flags & IS_HIDDEN != 0);
    if is_hidden {
        return;
    }
    emit(Item::Part);
    let mut outline: Vec<_> = outline.into_iter().map(Some).collect();
    for drawing in records(slide).filter(|record| record.kind == DRAWING) {
        shapes(drawing.data, &mut |shape| {
            let image = shape.is_image(images).then_some(Item::Image);
            if shape.is_hidden {
                let mut hidden = HiddenShape::default();
                image.into_iter().for_each(|item| hidden.add(item));
                read_text(shape, &mut outline, &mut |item| hidden.add(item));
                emit(hidden.item());
            } else {
                image.into_iter().for_each(&mut *emit);
                read_text(shape, &mut outline, emit);
            }
        });
    }
}

fn read_text<'a>(
    shape: &Shape<'a>,
    outline: &mut [Option<TextBox<'a>>],
    emit: &mut dyn FnMut(Item<'_>),
) {
    for text_box in records(shape.data).filter(|record| record.kind == CLIENT_TEXT_BOX) {
        for text in text_boxes(records(text_box.data)) {
            text.read(emit);
        }
        let reference = records(text_box.data).find(|record| record.kind == OUTLINE_REFERENCE);
        let index = reference.and_then(|reference| reference.data.usize_at(0));
        // Each text of the outline belongs to one shape.
        if let Some(text) = index.and_then(|index| outline.get_mut(index)?.take()) {
            text.read(emit);
        }
    }
}
