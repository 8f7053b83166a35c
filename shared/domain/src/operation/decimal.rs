//! Numbers with a fraction within bounds, kept to a hundredth so that equal options are the same job.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Steps of a whole one.
const STEPS: f64 = 100.0;

macro_rules! decimal_numbers {
    ($($(#[$doc:meta])* $name:ident: $least:literal to $most:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(try_from = "f64", into = "f64")]
        #[schemars(with = "f64", extend("minimum" = $least, "maximum" = $most))]
        pub struct $name(u32);

        impl $name {
            /// The value.
            #[must_use]
            pub fn value(self) -> f64 {
                f64::from(self.0) / STEPS
            }
        }

        impl TryFrom<f64> for $name {
            type Error = String;

            fn try_from(value: f64) -> Result<Self, String> {
                match ($least..=$most).contains(&value) {
                    true => Ok(Self(hundredths(value))),
                    false => Err(format!("must be a number from {} to {}", $least, $most)),
                }
            }
        }

        impl From<$name> for f64 {
            fn from(number: $name) -> f64 {
                number.value()
            }
        }
    )*};
}

decimal_numbers! {
    /// A side of paper in millimetres: 10 to 5,080, which is the most that PDF has. To a hundredth.
    PaperSide: 10.0 to 5080.0;
    /// What stays free at a side of paper, in millimetres: 0 to 500. To a hundredth.
    Margin: 0.0 to 500.0;
    /// How large a page is printed: 0.1 to 2, where 1 is its own size. To a hundredth.
    PrintScale: 0.1 to 2.0;
    /// Pixels of a picture for each pixel of a style sheet, along a side: 0.1 to 4. To a hundredth.
    DeviceScaleFactor: 0.1 to 4.0;
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the bounds above"
)]
fn hundredths(value: f64) -> u32 {
    (value * STEPS).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_to_a_hundredth_and_within_their_bounds() {
        for (given, kept) in [
            (12.7, 12.7),
            (0.1, 0.1),
            (0.0, 0.0),
            (9.996, 10.0),
            (500.0, 500.0),
        ] {
            assert_eq!(Margin::try_from(given).unwrap().value(), kept);
        }
        for given in [-0.01, 500.01, f64::NAN, f64::INFINITY] {
            assert!(Margin::try_from(given).is_err(), "{given}");
        }
        let scale = PrintScale::try_from(0.3).unwrap();
        assert_eq!(serde_json::to_value(scale).unwrap(), 0.3);
        assert!(PrintScale::try_from(2.001).is_err() && PrintScale::try_from(0.09).is_err());
        assert!(PaperSide::try_from(9.0).is_err() && DeviceScaleFactor::try_from(5.0).is_err());
        let whole: PrintScale = serde_json::from_str("1").unwrap();
        assert_eq!(whole.value(), 1.0);
    }
}
