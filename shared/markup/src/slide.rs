//! What slides of all formats have in common: the order in which shapes are read, and the places of what stands in one.

use layout::{Block, Rect};

use crate::flow;

/// Puts what has a place into bands from top to bottom, each from left to right; what has none stays where it is among
/// those before it.
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
        let belongs = seed.is_some_and(|seed| bounds.centre().1 < seed.bottom);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_one_after_the_other() {
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
            (None, "beside left"),
            (at(0.0, 95.0, 100.0, 99.0), "foot"),
            (at(0.0, 0.0, 100.0, 10.0), "head"),
        ]);
        assert_eq!(
            order,
            [
                "head",
                "left",
                "beside left",
                "right",
                "right, below",
                "foot"
            ]
        );
    }
}
