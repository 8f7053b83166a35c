//! sRGB transfer function [IEC 61966-2-1] and premultiplied alpha.

/// A sample of 8 or 16 bits.
pub(super) trait Sample: Copy {
    /// Number of distinct values.
    const VALUES: usize;
    /// Returns the value as an index.
    fn value(self) -> usize;
    /// Returns the sample of a value, clamped to the largest.
    fn of(value: usize) -> Self;
}

impl Sample for u8 {
    const VALUES: usize = 1 << 8;

    fn value(self) -> usize {
        self.into()
    }

    fn of(value: usize) -> Self {
        value.try_into().unwrap_or(Self::MAX)
    }
}

impl Sample for u16 {
    const VALUES: usize = 1 << 16;

    fn value(self) -> usize {
        self.into()
    }

    fn of(value: usize) -> Self {
        value.try_into().unwrap_or(Self::MAX)
    }
}

/// Lookup tables between encoded samples and linear light from 0 to 1.
pub(super) struct TransferTables<S> {
    linear: Vec<f32>,
    samples: Vec<S>,
}

/// Resolution of the table from linear light to 8-bit samples.
const STEPS: usize = 1 << 16;

impl<S: Sample> TransferTables<S> {
    /// Builds the tables: by the sRGB transfer function if `is_linear`, otherwise proportionally.
    pub(super) fn new(is_linear: bool) -> Self {
        let linear = |value: usize| {
            let normalized = normalized(value, S::VALUES);
            if is_linear {
                srgb_decode(normalized)
            } else {
                normalized
            }
        };
        let sample = |step: usize| {
            let normalized = normalized(step, STEPS);
            quantize(if is_linear {
                srgb_encode(normalized)
            } else {
                normalized
            })
        };
        Self {
            linear: (0..S::VALUES).map(linear).collect(),
            // For 16-bit samples the table would be too coarse.
            samples: match S::VALUES < STEPS || !is_linear {
                true => (0..STEPS).map(sample).collect(),
                false => Vec::new(),
            },
        }
    }

    /// Adds the average of each group of `averaged` pixels along a row to `sums`.
    pub(super) fn add(
        &self,
        row: &[S],
        sums: &mut [f32],
        averaged: usize,
        channels: usize,
        has_alpha: bool,
    ) {
        let pixels = row.chunks(averaged * channels);
        for (group, sum) in pixels.zip(sums.chunks_exact_mut(channels)) {
            #[expect(clippy::cast_precision_loss, reason = "at most a side")]
            let weight = 1.0 / (group.len() / channels).max(1) as f32;
            for pixel in group.chunks_exact(channels) {
                self.add_pixel(pixel, sum, weight, has_alpha);
            }
        }
    }

    fn add_pixel(&self, pixel: &[S], sum: &mut [f32], weight: f32, has_alpha: bool) {
        match (pixel, sum) {
            ([colors @ .., alpha], [sums @ .., last]) if has_alpha => {
                let opacity = normalized(alpha.value(), S::VALUES) * weight;
                *last += opacity;
                for (sample, sum) in colors.iter().zip(sums) {
                    *sum += self.linear(*sample) * opacity;
                }
            }
            (colors, sums) => {
                for (sample, sum) in colors.iter().zip(sums) {
                    *sum += self.linear(*sample) * weight;
                }
            }
        }
    }

    fn linear(&self, sample: S) -> f32 {
        self.linear.get(sample.value()).copied().unwrap_or(0.0)
    }

    /// Converts linear light, stored as `f32` bytes, to samples.
    pub(super) fn store(&self, light: &[u8], to: &mut [S], channels: usize, has_alpha: bool) {
        let numbers = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().unwrap_or_default());
        let pixels = light.chunks_exact(channels * size_of::<f32>());
        for (pixel, target) in pixels.zip(to.chunks_exact_mut(channels)) {
            let linear = pixel.chunks_exact(size_of::<f32>()).map(numbers);
            match target {
                [colors @ .., alpha] if has_alpha => {
                    let opacity = linear.clone().next_back().unwrap_or(0.0).clamp(0.0, 1.0);
                    *alpha = quantize(opacity);
                    let undo = if opacity > 0.0 { 1.0 / opacity } else { 0.0 };
                    for (linear, sample) in linear.zip(colors) {
                        *sample = self.sample(linear * undo);
                    }
                }
                colors => {
                    for (linear, sample) in linear.zip(colors) {
                        *sample = self.sample(linear);
                    }
                }
            }
        }
    }

    fn sample(&self, linear: f32) -> S {
        let linear = linear.clamp(0.0, 1.0);
        let step = nearest(linear, STEPS);
        match self.samples.get(step) {
            Some(sample) => *sample,
            None => quantize(srgb_encode(linear)),
        }
    }
}

/// Divides sums over `rows` rows by their number and writes the averages as `f32` bytes.
pub(super) fn write(sums: &[f32], to: &mut [u8], rows: usize) {
    #[expect(clippy::cast_precision_loss, reason = "at most a side")]
    let weight = 1.0 / rows.max(1) as f32;
    for (sum, bytes) in sums.iter().zip(to.chunks_exact_mut(size_of::<f32>())) {
        bytes.copy_from_slice(&(sum * weight).to_ne_bytes());
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 65,536")]
fn normalized(value: usize, values: usize) -> f32 {
    value as f32 / (values - 1) as f32
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the values"
)]
fn nearest(normalized: f32, values: usize) -> usize {
    (normalized.clamp(0.0, 1.0) * (values - 1) as f32 + 0.5) as usize
}

fn quantize<S: Sample>(normalized: f32) -> S {
    S::of(nearest(normalized, S::VALUES))
}

/// sRGB decoding (sample → linear light).
fn srgb_decode(normalized: f32) -> f32 {
    match normalized <= 0.040_45 {
        true => normalized / 12.92,
        false => ((normalized + 0.055) / 1.055).powf(2.4),
    }
}

fn srgb_encode(light: f32) -> f32 {
    match light <= 0.003_130_8 {
        true => light * 12.92,
        false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    }
}
