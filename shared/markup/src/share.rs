//! The places of what stands in one shape.

use layout::{Block, Rect};

use crate::flow;

/// Divides the place of a shape among what stands in it, by how much each says.
pub(crate) fn share(bounds: Rect, blocks: &mut [Block]) {
    let weights: Vec<f32> = blocks
        .iter()
        .map(|block| flow::weight(std::slice::from_ref(block)).max(1) as f32)
        .collect();
    let whole: f32 = weights.iter().sum();
    let mut top = bounds.top;
    for (block, weight) in blocks.iter_mut().zip(weights) {
        let bottom = (top + bounds.height() * weight / whole).min(bounds.bottom);
        block.bounds = Some(Rect {
            top,
            bottom,
            ..bounds
        });
        top = bottom;
    }
}
