//! Reading order of the shapes of a slide, and the bounds of the blocks in a shape.

use layout::{Block, Rect};

use crate::flow;

/// Sorts shapes into bands from top to bottom, and each band from left to right. A shape without bounds follows the shape
/// before it.
pub(crate) fn sort<T>(shapes: Vec<(Option<Rect>, T)>) -> Vec<T> {
    let mut placed: Vec<(Rect, T)> = Vec::new();
    let mut last = Rect::default();
    for (bounds, shape) in shapes {
        last = bounds.unwrap_or(last);
        placed.push((last, shape));
    }
    placed.sort_by(|(one, _), (other, _)| one.top.total_cmp(&other.top));
    let mut seed: Option<Rect> = None;
    let mut band = 0_usize;
    let mut banded: Vec<(usize, Rect, T)> = Vec::new();
    for (bounds, shape) in placed {
        let belongs = seed.is_some_and(|seed| bounds.center().1 < seed.bottom);
        if !belongs {
            band += 1;
            seed = Some(bounds);
        }
        banded.push((band, bounds, shape));
    }
    banded.sort_by(|(band, one, _), (other_band, other, _)| {
        band.cmp(other_band)
            .then(one.left.total_cmp(&other.left))
            .then(one.top.total_cmp(&other.top))
    });
    banded.into_iter().map(|(_, _, shape)| shape).collect()
}

/// Divides the bounds of a shape among its blocks in proportion to their length.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_one_after_another() {
        let at = |left, top, right, bottom| {
            Some(Rect {
                left,
                top,
                right,
                bottom,
            })
        };
        let order = sort(vec![
            (at(60.0, 35.0, 100.0, 45.0), "right, below"),
            (at(60.0, 20.0, 100.0, 30.0), "right"),
            (at(0.0, 15.0, 50.0, 90.0), "left"),
            (None, "left, without bounds"),
            (at(0.0, 95.0, 100.0, 99.0), "foot"),
            (at(0.0, 0.0, 100.0, 10.0), "head"),
        ]);
        assert_eq!(
            order,
            [
                "head",
                "left",
                "left, without bounds",
                "right",
                "right, below",
                "foot"
            ]
        );
    }
}
