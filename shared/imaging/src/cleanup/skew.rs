//! Skew detection by projection profile: the angle at which the lower edges of ink concentrate on the fewest lines
//! (Postl, "Detection of linear oblique structures and skew scan in digitized documents", 1986).

use image::GrayImage;

use super::binarize::{BLACK, WHITE, binarize};

/// Largest skew searched, in degrees.
const MAX_ANGLE: f64 = 15.0;
/// Smaller angles are not corrected: they are invisible, and rotation blurs.
const MIN_ANGLE: f64 = 0.1;
/// Steps of the coarse-to-fine search, in degrees; each searches around the best angle of the step before.
const STEPS: [f64; 3] = [0.2, 0.05, 0.01];
/// Longest side of the downscaled page that is analyzed.
const MAX_SIDE: u32 = 2_000;
/// Maximum number of edge pixels used.
const MAX_EDGES: usize = 200_000;
/// With fewer edge pixels there is no text.
const MIN_EDGES: usize = 100;
/// Minimum ratio of the best score to the median score over all angles: text reaches 20 and more, a photograph 2.
const MIN_SCORE_RATIO: f64 = 4.0;

/// Returns the clockwise skew of the text lines in degrees; `None` if there are no lines or they are horizontal.
pub(super) fn angle(gray: &GrayImage) -> Option<f64> {
    let edges = lower_edges(&binarize(&downscale(gray)));
    if edges.len() < MIN_EDGES {
        return None;
    }
    let [first, finer @ ..] = STEPS;
    let scores: Vec<(f64, f64)> = around(0.0, MAX_ANGLE, first)
        .map(|angle| (angle, score(&edges, angle)))
        .collect();
    let (mut best, highest) = scores.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut sorted: Vec<f64> = scores.into_iter().map(|(_, score)| score).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied()?;
    if highest < median * MIN_SCORE_RATIO {
        return None;
    }
    let mut reach = first;
    for step in finer {
        best = around(best, reach, step)
            .map(|angle| (angle, score(&edges, angle)))
            .max_by(|a, b| a.1.total_cmp(&b.1))?
            .0;
        reach = step;
    }
    (best.abs() >= MIN_ANGLE).then_some(best)
}

fn around(center: f64, reach: f64, step: f64) -> impl Iterator<Item = f64> {
    #[expect(clippy::cast_possible_truncation, reason = "a few hundred steps")]
    let steps = (reach / step).round() as i32;
    (-steps..=steps).map(move |index| center + f64::from(index) * step)
}

/// Downscales the page by averaging squares of pixels.
fn downscale(gray: &GrayImage) -> GrayImage {
    let by = gray.width().max(gray.height()).div_ceil(MAX_SIDE);
    if by <= 1 {
        return gray.clone();
    }
    let (width, height) = ((gray.width() / by).max(1), (gray.height() / by).max(1));
    let mut sums = vec![0_u32; (width * height) as usize];
    for (row, y) in gray.chunks_exact(gray.width() as usize).zip(0..) {
        let begin = ((y / by).min(height - 1) * width) as usize;
        let sums = sums.get_mut(begin..).unwrap_or_default();
        for (group, sum) in row
            .chunks(by as usize)
            .zip(sums.iter_mut().take(width as usize))
        {
            *sum += group.iter().map(|sample| u32::from(*sample)).sum::<u32>();
        }
    }
    let average = |sum: u32| u8::try_from(sum / (by * by)).unwrap_or(u8::MAX);
    let samples = sums.into_iter().map(average).collect();
    GrayImage::from_raw(width, height, samples).unwrap_or_default()
}

/// Returns ink pixels with paper below (inverted on a dark page), sampled evenly if there are many.
fn lower_edges(page: &GrayImage) -> Vec<(f64, f64)> {
    let ink = page.iter().filter(|sample| **sample == BLACK).count();
    let written = if ink * 2 > page.len() { WHITE } else { BLACK };
    let width = page.width() as usize;
    let rows: Vec<&[u8]> = page.chunks_exact(width.max(1)).collect();
    let mut edges = Vec::new();
    for (pair, y) in rows.windows(2).zip(0_u32..) {
        let [above, below] = pair else { continue };
        for ((one, other), x) in above.iter().zip(*below).zip(0_u32..) {
            if *one == written && *other != written {
                edges.push((f64::from(x), f64::from(y)));
            }
        }
    }
    let every = edges.len().div_ceil(MAX_EDGES).max(1);
    edges.into_iter().step_by(every).collect()
}

/// Scores an angle: sum of squared differences between adjacent bins of the projection profile.
fn score(edges: &[(f64, f64)], angle: f64) -> f64 {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let margin = f64::from(MAX_SIDE);
    let mut profile = vec![0_u32; 4 * MAX_SIDE as usize];
    for (x, y) in edges {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the profile"
        )]
        let line = (y * cosine - x * sine + margin) as usize;
        if let Some(count) = profile.get_mut(line) {
            *count += 1;
        }
    }
    let pairs = profile.windows(2).map(|pair| match pair {
        [one, other] => f64::from(one.abs_diff(*other)).powi(2),
        _ => 0.0,
    });
    pairs.sum()
}
