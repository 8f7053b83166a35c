//! Reference implementation of the Lanczos-3 filter, by weights per pixel.

use std::collections::VecDeque;
use std::f64::consts::PI;

use image::{DynamicImage, GenericImageView as _};

/// Lobes of the filter on each side.
const LOBES: f64 = 3.0;

/// Weights of the source pixels for one target pixel, along one axis.
pub(super) struct FilterWeights {
    first: u32,
    weights: Vec<f32>,
}

impl FilterWeights {
    /// Returns the weights for target pixels; the crop rectangle starts at `begin`, with `step` source pixels per target pixel.
    pub(super) fn all(positions: &[u32], (begin, step): (f64, f64), length: u32) -> Vec<Self> {
        let tap = |place: &u32| Self::new(begin + (f64::from(*place) + 0.5) * step, step, length);
        positions.iter().map(tap).collect()
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

    fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
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

/// Computes target rows, caching horizontally filtered source rows while needed.
pub(super) struct Resampler<'a> {
    source: &'a DynamicImage,
    across: &'a [FilterWeights],
    is_linear: bool,
    linear: Vec<f32>,
    rows: VecDeque<(u32, Vec<[f32; 4]>)>,
}

impl<'a> Resampler<'a> {
    /// Creates a resampler that filters samples as stored, or in linear light.
    pub(super) fn new(
        source: &'a DynamicImage,
        across: &'a [FilterWeights],
        is_linear: bool,
    ) -> Self {
        let amount = |sample: u8| srgb_decode(f32::from(sample) / 255.0, is_linear);
        Self {
            source,
            across,
            is_linear,
            linear: (0..=u8::MAX).map(amount).collect(),
            rows: VecDeque::new(),
        }
    }

    /// Returns a target row as RGBA from 0 to 1. Rows must be requested from top to bottom.
    pub(super) fn row(&mut self, down: &FilterWeights) -> Vec<[f32; 4]> {
        self.rows.retain(|(row, _)| *row >= down.first);
        let next = self.rows.back().map_or(down.first, |(row, _)| row + 1);
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen")]
        for row in next..down.first + down.weights.len() as u32 {
            let filtered = self.filtered(row);
            self.rows.push_back((row, filtered));
        }
        let mut sums = vec![[0.0; 4]; self.across.len()];
        for ((_, row), weight) in self.rows.iter().zip(&down.weights) {
            for (sum, pixel) in sums.iter_mut().zip(row) {
                add(sum, *pixel, *weight);
            }
        }
        sums.into_iter().map(|sum| self.pixel(sum)).collect()
    }

    fn filtered(&self, row: u32) -> Vec<[f32; 4]> {
        let pixel = |taps: &FilterWeights| {
            let mut sum = [0.0; 4];
            for (column, weight) in taps.iter() {
                add(&mut sum, self.premultiplied(column, row), weight);
            }
            sum
        };
        self.across.iter().map(pixel).collect()
    }

    /// Returns a source pixel with premultiplied alpha.
    fn premultiplied(&self, x: u32, y: u32) -> [f32; 4] {
        let [red, green, blue, alpha] = self.source.get_pixel(x, y).0;
        let opacity = f32::from(alpha) / 255.0;
        let amount = |sample: u8| self.linear.get(usize::from(sample)).copied();
        let [red, green, blue] =
            [red, green, blue].map(|sample| amount(sample).unwrap_or(0.0) * opacity);
        [red, green, blue, opacity]
    }

    fn pixel(&self, [red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
        let opacity = alpha.clamp(0.0, 1.0);
        let undo = if opacity > 0.0 { 1.0 / opacity } else { 0.0 };
        let [red, green, blue] = [red, green, blue]
            .map(|light| srgb_encode((light * undo).clamp(0.0, 1.0), self.is_linear));
        [red, green, blue, opacity]
    }
}

fn add(sum: &mut [f32; 4], pixel: [f32; 4], weight: f32) {
    let parts = sum.iter_mut().zip(pixel);
    parts.for_each(|(sum, amount)| *sum += amount * weight);
}

/// sRGB decoding (sample → linear light).
fn srgb_decode(value: f32, is_linear: bool) -> f32 {
    match value {
        value if !is_linear => value,
        value if value <= 0.040_45 => value / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    }
}

fn srgb_encode(light: f32, is_linear: bool) -> f32 {
    match light {
        light if !is_linear => light,
        light if light <= 0.003_130_8 => light * 12.92,
        light => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    }
}
