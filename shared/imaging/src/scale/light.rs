//! Samples as amounts of light and back: the curve of sRGB [IEC 61966-2-1], and colours multiplied by their opacity.

/// A sample of 8 or 16 bits.
pub(super) trait Sample: Copy {
    /// How many values there are.
    const VALUES: usize;
    /// Its value.
    fn value(self) -> usize;
    /// The sample of a value, the largest if there is none.
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

/// How samples become light, 0 to 1, and light becomes samples.
pub(super) struct Light<S> {
    amounts: Vec<f32>,
    samples: Vec<S>,
}

/// Steps of light that are told apart when it becomes samples of 8 bits.
const STEPS: usize = 1 << 16;

impl<S: Sample> Light<S> {
    /// By the curve of sRGB, or as samples are.
    pub(super) fn new(is_linear: bool) -> Self {
        let amount = |value: usize| {
            let share = share(value, S::VALUES);
            if is_linear { to_light(share) } else { share }
        };
        let sample = |step: usize| {
            let share = share(step, STEPS);
            of_share(if is_linear { to_share(share) } else { share })
        };
        Self {
            amounts: (0..S::VALUES).map(amount).collect(),
            // Sixteen bits are more than steps of light would tell apart.
            samples: match S::VALUES < STEPS || !is_linear {
                true => (0..STEPS).map(sample).collect(),
                false => Vec::new(),
            },
        }
    }

    /// Adds the averages of so many pixels each along a row.
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
            ([colours @ .., alpha], [sums @ .., last]) if has_alpha => {
                let opacity = share(alpha.value(), S::VALUES) * weight;
                *last += opacity;
                for (sample, sum) in colours.iter().zip(sums) {
                    *sum += self.amount(*sample) * opacity;
                }
            }
            (colours, sums) => {
                for (sample, sum) in colours.iter().zip(sums) {
                    *sum += self.amount(*sample) * weight;
                }
            }
        }
    }

    fn amount(&self, sample: S) -> f32 {
        self.amounts.get(sample.value()).copied().unwrap_or(0.0)
    }

    /// Light, each number in four bytes, to samples.
    pub(super) fn store(&self, light: &[u8], to: &mut [S], channels: usize, has_alpha: bool) {
        let numbers = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().unwrap_or_default());
        let pixels = light.chunks_exact(channels * size_of::<f32>());
        for (pixel, target) in pixels.zip(to.chunks_exact_mut(channels)) {
            let amounts = pixel.chunks_exact(size_of::<f32>()).map(numbers);
            match target {
                [colours @ .., alpha] if has_alpha => {
                    let opacity = amounts.clone().next_back().unwrap_or(0.0).clamp(0.0, 1.0);
                    *alpha = of_share(opacity);
                    let undo = if opacity > 0.0 { 1.0 / opacity } else { 0.0 };
                    for (amount, sample) in amounts.zip(colours) {
                        *sample = self.sample(amount * undo);
                    }
                }
                colours => {
                    for (amount, sample) in amounts.zip(colours) {
                        *sample = self.sample(amount);
                    }
                }
            }
        }
    }

    fn sample(&self, amount: f32) -> S {
        let amount = amount.clamp(0.0, 1.0);
        let step = nearest(amount, STEPS);
        match self.samples.get(step) {
            Some(sample) => *sample,
            None => of_share(to_share(amount)),
        }
    }
}

/// Sums over so many rows, as averages of four bytes each.
pub(super) fn write(sums: &[f32], to: &mut [u8], rows: usize) {
    #[expect(clippy::cast_precision_loss, reason = "at most a side")]
    let weight = 1.0 / rows.max(1) as f32;
    for (sum, bytes) in sums.iter().zip(to.chunks_exact_mut(size_of::<f32>())) {
        bytes.copy_from_slice(&(sum * weight).to_ne_bytes());
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 65,536")]
fn share(value: usize, values: usize) -> f32 {
    value as f32 / (values - 1) as f32
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the values"
)]
fn nearest(share: f32, values: usize) -> usize {
    (share.clamp(0.0, 1.0) * (values - 1) as f32 + 0.5) as usize
}

fn of_share<S: Sample>(share: f32) -> S {
    S::of(nearest(share, S::VALUES))
}

/// What part of full light a sample stands for.
fn to_light(share: f32) -> f32 {
    match share <= 0.040_45 {
        true => share / 12.92,
        false => ((share + 0.055) / 1.055).powf(2.4),
    }
}

fn to_share(light: f32) -> f32 {
    match light <= 0.003_130_8 {
        true => light * 12.92,
        false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    }
}
