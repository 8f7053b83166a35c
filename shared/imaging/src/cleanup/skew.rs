//! How far the lines of text on a page are from level: the angle at which the lower edges of ink fall together on the
//! fewest lines (Postl, "Detection of linear oblique structures and skew scan in digitized documents", 1986).

use image::GrayImage;

use super::threshold::{BLACK, WHITE, black_and_white};

/// Largest angle that is looked for, in degrees.
const LARGEST: f64 = 15.0;
/// Smaller angles are left: nobody sees them, and turning blurs.
const SMALLEST: f64 = 0.1;
/// Steps of the search, in degrees, each around the best of the step before.
const STEPS: [f64; 3] = [0.2, 0.05, 0.01];
/// Longest side of the picture that is looked at.
const SIDE: u32 = 2_000;
/// Most edges that are looked at.
const EDGES: usize = 200_000;
/// Fewer edges are no text.
const FEWEST: usize = 100;
/// How much more the best angle must gather than an angle does usually: text gathers 20 times as much and more, a
/// photograph twice.
const EVIDENCE: f64 = 4.0;

/// The angle in degrees by which lines fall to the right, if there are lines and they are not level.
pub(super) fn angle(grey: &GrayImage) -> Option<f64> {
    let edges = lower_edges(&black_and_white(&reduced(grey)));
    if edges.len() < FEWEST {
        return None;
    }
    let [first, finer @ ..] = STEPS;
    let scores: Vec<(f64, f64)> = around(0.0, LARGEST, first)
        .map(|angle| (angle, gathered(&edges, angle)))
        .collect();
    let (mut best, highest) = scores.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut sorted: Vec<f64> = scores.into_iter().map(|(_, score)| score).collect();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted.get(sorted.len() / 2).copied()?;
    if highest < usual * EVIDENCE {
        return None;
    }
    let mut reach = first;
    for step in finer {
        best = around(best, reach, step)
            .map(|angle| (angle, gathered(&edges, angle)))
            .max_by(|a, b| a.1.total_cmp(&b.1))?
            .0;
        reach = step;
    }
    (best.abs() >= SMALLEST).then_some(best)
}

fn around(centre: f64, reach: f64, step: f64) -> impl Iterator<Item = f64> {
    #[expect(clippy::cast_possible_truncation, reason = "a few hundred steps")]
    let steps = (reach / step).round() as i32;
    (-steps..=steps).map(move |index| centre + f64::from(index) * step)
}

/// The page with each square of pixels averaged to one.
fn reduced(grey: &GrayImage) -> GrayImage {
    let by = grey.width().max(grey.height()).div_ceil(SIDE);
    if by <= 1 {
        return grey.clone();
    }
    let (width, height) = ((grey.width() / by).max(1), (grey.height() / by).max(1));
    let mut sums = vec![0_u32; (width * height) as usize];
    for (row, y) in grey.chunks_exact(grey.width() as usize).zip(0..) {
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

/// Where there is ink with paper below, or the other way round on a dark page; evenly chosen if there are many.
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
    let every = edges.len().div_ceil(EDGES).max(1);
    edges.into_iter().step_by(every).collect()
}

/// How unevenly the edges are spread over lines that fall by an angle.
fn gathered(edges: &[(f64, f64)], angle: f64) -> f64 {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let margin = f64::from(SIDE);
    let mut lines = vec![0_u32; 4 * SIDE as usize];
    for (x, y) in edges {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the lines"
        )]
        let line = (y * cosine - x * sine + margin) as usize;
        if let Some(count) = lines.get_mut(line) {
            *count += 1;
        }
    }
    let pairs = lines.windows(2).map(|pair| match pair {
        [one, other] => f64::from(one.abs_diff(*other)).powi(2),
        _ => 0.0,
    });
    pairs.sum()
}
