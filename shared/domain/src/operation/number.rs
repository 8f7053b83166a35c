//! Whole numbers within bounds, which options are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! whole_numbers {
    ($($(#[$doc:meta])* $name:ident($kind:ty) as $described:tt, $least:literal to $most:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(try_from = "i64", into = "i64")]
        #[schemars(with = $described, extend("minimum" = $least, "maximum" = $most))]
        pub struct $name($kind);

        impl $name {
            /// The value.
            #[must_use]
            pub fn value(self) -> $kind {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = String;

            fn try_from(value: i64) -> Result<Self, String> {
                match <$kind>::try_from(value) {
                    Ok(value @ $least..=$most) => Ok(Self(value)),
                    _ => Err(format!("must be a whole number from {} to {}", $least, $most)),
                }
            }
        }

        impl From<$name> for i64 {
            fn from(number: $name) -> i64 {
                i64::from(number.0)
            }
        }
    )*};
}

whole_numbers! {
    /// Quality of a lossy encoder: 1 to 100.
    Quality(u8) as "u8", 1 to 100;
    /// A share in percent: 1 to 100.
    Percent(u8) as "u8", 1 to 100;
    /// A side of an image in pixels: 1 to 65,535.
    Pixels(u32) as "u16", 1 to 65_535;
    /// Pixels an inch of the picture of a page: 10 to 1,200.
    PixelsPerInch(u16) as "u16", 10 to 1_200;
    /// A number of pages: 1 to 5,000.
    PageCount(u32) as "u16", 1 to 5_000;
    /// Which table of a document: 1 to 10,000.
    TableNumber(u32) as "u16", 1 to 10_000;
    /// A side of a browser's window in pixels of style sheets: 16 to 10,000.
    ViewportSide(u32) as "u16", 16 to 10_000;
}

impl Default for Quality {
    fn default() -> Self {
        Self(80)
    }
}
