//! Affine transformation matrices of PDF [ISO 32000-1, 8.3.4].

use serde::{Deserialize, Serialize};

/// The transformation `x' = a x + c y + e, y' = b x + d y + f`, as `[a, b, c, d, e, f]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix(pub [f64; 6]);

impl Matrix {
    /// The identity matrix.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Scales by these factors.
    pub fn scale(across: f64, down: f64) -> Self {
        Self([across, 0.0, 0.0, down, 0.0, 0.0])
    }

    /// The composition that applies `self` first, then `next`.
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

    /// The inverse; `None` if the matrix is singular.
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

    /// Transforms a point.
    pub fn apply(self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Side lengths of the transformed unit square.
    pub fn extent(self) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        ((a * a + b * b).sqrt(), (c * c + d * d).sqrt())
    }
}
