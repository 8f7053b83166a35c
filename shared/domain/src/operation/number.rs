//! Bounded integers of options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! whole_numbers {
    ($($(#[$doc:meta])* $name:ident($kind:ty) as $described:tt, $min:literal to $max:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(try_from = "i64", into = "i64")]
        #[schemars(with = $described, extend("minimum" = $min, "maximum" = $max))]
        pub struct $name($kind);

        impl $name {
            /// Returns the value.
            #[must_use]
            pub fn value(self) -> $kind {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = String;

            fn try_from(value: i64) -> Result<Self, String> {
                match <$kind>::try_from(value) {
                    Ok(value @ $min..=$max) => Ok(Self(value)),
                    _ => Err(format!("must be an integer from {} to {}", $min, $max)),
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
    /// Encoder quality, from 1 (smallest) to 100 (best).
    Quality(u8) as "u8", 1 to 100;
    /// A percentage, from 1 to 100.
    Percent(u8) as "u8", 1 to 100;
    /// A length in pixels, from 1 to 65,535.
    Pixels(u32) as "u16", 1 to 65_535;
    /// Resolution in pixels per inch, from 10 to 1,200.
    PixelsPerInch(u16) as "u16", 10 to 1_200;
    /// A number of pages, from 1 to 5,000.
    PageCount(u32) as "u16", 1 to 5_000;
    /// The number of a table in the document, from 1 to 10,000.
    TableNumber(u32) as "u16", 1 to 10_000;
    /// A number of tokens of a language model, from 64 to 8,192.
    TokenCount(u16) as "u16", 64 to 8_192;
    /// A side of the browser viewport in CSS pixels, from 16 to 10,000.
    ViewportSide(u32) as "u16", 16 to 10_000;
}

impl Default for Quality {
    fn default() -> Self {
        Self(80)
    }
}
