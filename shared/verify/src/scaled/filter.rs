//! The filter of scaling as its definition has it: Lanczos with three lobes, by weights for each pixel.

use std::collections::VecDeque;
use std::f64::consts::PI;

use image::{DynamicImage, GenericImageView as _};

/// Lobes of the filter to either side.
const LOBES: f64 = 3.0;

/// Which pixels of a side of the source make one of the result, and how much of each.
pub(super) struct Taps {
    first: u32,
    weights: Vec<f32>,
}

impl Taps {
    /// Those of each of these pixels of a result that begins at `begin` and takes `step` pixels of the source for one.
    pub(super) fn all(places: &[u32], (begin, step): (f64, f64), length: u32) -> Vec<Self> {
        let taps = |place: &u32| Self::new(begin + (f64::from(*place) + 0.5) * step, step, length);
        places.iter().map(taps).collect()
    }

    fn new(middle: f64, step: f64, length: u32) -> Self {
        let width = step.max(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the side"
        )]
        let (first, end) = (
            (middle - LOBES * width).floor().max(0.0) as u32,
            ((middle + LOBES * width).ceil() as u32).min(length),
        );
        let weight = |pixel: u32| lanczos((f64::from(pixel) + 0.5 - middle) / width);
        let weights: Vec<f64> = (first..end).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        #[expect(clippy::cast_possible_truncation, reason = "about 1 at most")]
        let part = |weight: f64| (weight / sum) as f32;
        Self {
            first,
            weights: weights.into_iter().map(part).collect(),
        }
    }

    fn places(&self) -> impl Iterator<Item = (u32, f32)> {
        (self.first..).zip(self.weights.iter().copied())
    }
}

fn lanczos(at: f64) -> f64 {
    let sinc = |x: f64| match x.abs() < 1e-9 {
        true => 1.0,
        false => (PI * x).sin() / (PI * x),
    };
    match at.abs() < LOBES {
        true => sinc(at) * sinc(at / LOBES),
        false => 0.0,
    }
}

/// Rows of a source, made narrow or wide: each as long as it is needed.
pub(super) struct Filtered<'a> {
    source: &'a DynamicImage,
    across: &'a [Taps],
    is_linear: bool,
    amounts: Vec<f32>,
    rows: VecDeque<(u32, Vec<[f32; 4]>)>,
}

impl<'a> Filtered<'a> {
    /// Of samples as they are, or as light (`is_linear`).
    pub(super) fn new(source: &'a DynamicImage, across: &'a [Taps], is_linear: bool) -> Self {
        let amount = |sample: u8| to_light(f32::from(sample) / 255.0, is_linear);
        Self {
            source,
            across,
            is_linear,
            amounts: (0..=u8::MAX).map(amount).collect(),
            rows: VecDeque::new(),
        }
    }

    /// A row of the result, which lies below those asked for before: samples of colours and their opacity, of 1.
    pub(super) fn row(&mut self, down: &Taps) -> Vec<[f32; 4]> {
        self.rows.retain(|(row, _)| *row >= down.first);
        let next = self.rows.back().map_or(down.first, |(row, _)| row + 1);
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen")]
        for row in next..down.first + down.weights.len() as u32 {
            let narrow = self.narrow(row);
            self.rows.push_back((row, narrow));
        }
        let mut sums = vec![[0.0; 4]; self.across.len()];
        for ((_, row), weight) in self.rows.iter().zip(&down.weights) {
            for (sum, pixel) in sums.iter_mut().zip(row) {
                add(sum, *pixel, *weight);
            }
        }
        sums.into_iter().map(|sum| self.pixel(sum)).collect()
    }

    fn narrow(&self, row: u32) -> Vec<[f32; 4]> {
        let pixel = |taps: &Taps| {
            let mut sum = [0.0; 4];
            for (column, weight) in taps.places() {
                add(&mut sum, self.light(column, row), weight);
            }
            sum
        };
        self.across.iter().map(pixel).collect()
    }

    /// A pixel of the source, each colour multiplied by its opacity.
    fn light(&self, x: u32, y: u32) -> [f32; 4] {
        let [red, green, blue, alpha] = self.source.get_pixel(x, y).0;
        let opacity = f32::from(alpha) / 255.0;
        let amount = |sample: u8| self.amounts.get(usize::from(sample)).copied();
        let [red, green, blue] =
            [red, green, blue].map(|sample| amount(sample).unwrap_or(0.0) * opacity);
        [red, green, blue, opacity]
    }

    fn pixel(&self, [red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
        let opacity = alpha.clamp(0.0, 1.0);
        let undo = if opacity > 0.0 { 1.0 / opacity } else { 0.0 };
        let [red, green, blue] = [red, green, blue]
            .map(|light| to_share((light * undo).clamp(0.0, 1.0), self.is_linear));
        [red, green, blue, opacity]
    }
}

fn add(sum: &mut [f32; 4], pixel: [f32; 4], weight: f32) {
    let parts = sum.iter_mut().zip(pixel);
    parts.for_each(|(sum, amount)| *sum += amount * weight);
}

/// What part of full light a sample stands for, by the curve of sRGB.
fn to_light(share: f32, is_linear: bool) -> f32 {
    match share {
        share if !is_linear => share,
        share if share <= 0.040_45 => share / 12.92,
        share => ((share + 0.055) / 1.055).powf(2.4),
    }
}

fn to_share(light: f32, is_linear: bool) -> f32 {
    match light {
        light if !is_linear => light,
        light if light <= 0.003_130_8 => light * 12.92,
        light => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    }
}
