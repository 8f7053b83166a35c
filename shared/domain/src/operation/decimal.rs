//! Bounded decimal numbers of options, rounded to hundredths so that equal options hash alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Steps per unit.
const STEPS: f64 = 100.0;

macro_rules! decimal_numbers {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(try_from = "f64", into = "f64")]
        #[schemars(with = "f64", extend("minimum" = $min, "maximum" = $max))]
        pub struct $name(u32);

        impl $name {
            /// Returns the value.
            #[must_use]
            pub fn value(self) -> f64 {
                f64::from(self.0) / STEPS
            }
        }

        impl TryFrom<f64> for $name {
            type Error = String;

            fn try_from(value: f64) -> Result<Self, String> {
                match ($min..=$max).contains(&value) {
                    true => Ok(Self(hundredths(value))),
                    false => Err(format!("must be a number from {} to {}", $min, $max)),
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
    /// A side of the paper in millimeters, from 10 to 5,080, the maximum page size of PDF. Rounded to hundredths.
    PaperSide: 10.0 to 5080.0;
    /// A margin in millimeters, from 0 to 500. Rounded to hundredths.
    Margin: 0.0 to 500.0;
    /// Print scale, from 0.1 to 2, where 1 is the original size. Rounded to hundredths.
    PrintScale: 0.1 to 2.0;
    /// Image pixels per CSS pixel, from 0.1 to 4. Rounded to hundredths.
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
    fn numbers_are_rounded_to_hundredths_and_bounded() {
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
