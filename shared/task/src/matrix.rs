//! Maps of the plane that keep lines straight and parallel, as PDF writes them [ISO 32000-1, 8.3.4].

/// A map `x' = a x + c y + e, y' = b x + d y + f`, as `[a, b, c, d, e, f]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix(pub [f64; 6]);

impl Matrix {
    /// Everything stays where it is.
    pub const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Makes everything larger by these factors.
    pub fn scale(across: f64, down: f64) -> Self {
        Self([across, 0.0, 0.0, down, 0.0, 0.0])
    }

    /// Does this first and `next` then.
    pub fn then(self, next: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = next.0;
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// The map back, unless everything falls on one line.
    pub fn inverse(self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let area = a * d - b * c;
        (area.abs() > f64::EPSILON).then(|| {
            Self([
                d / area,
                -b / area,
                -c / area,
                a / area,
                (c * f - d * e) / area,
                (b * e - a * f) / area,
            ])
        })
    }

    /// Where a point comes to lie.
    pub fn apply(self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Width and height of what the unit square becomes.
    pub fn extent(self) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        ((a * a + b * b).sqrt(), (c * c + d * d).sqrt())
    }
}
