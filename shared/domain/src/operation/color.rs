//! Colors of options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An sRGB color: `#rrggbb`, or `#rrggbbaa` with alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"))]
pub struct Color([u8; 4]);

impl Color {
    /// Opaque white.
    pub const WHITE: Self = Self([u8::MAX; 4]);

    /// Returns red, green, blue and alpha.
    #[must_use]
    pub fn rgba(self) -> [u8; 4] {
        self.0
    }
}

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').unwrap_or_default();
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok();
        match (number.filter(|_| is_hexadecimal), digits.len()) {
            (Some(number), 6) => Ok(Self(((number << 8) | 0xFF).to_be_bytes())),
            (Some(number), 8) => Ok(Self(number.to_be_bytes())),
            _ => Err("must be #rrggbb or #rrggbbaa in hexadecimal digits".to_owned()),
        }
    }
}

impl From<Color> for String {
    fn from(Color([red, green, blue, opacity]): Color) -> Self {
        match opacity {
            u8::MAX => format!("#{red:02x}{green:02x}{blue:02x}"),
            _ => format!("#{red:02x}{green:02x}{blue:02x}{opacity:02x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_six_or_eight_hexadecimal_digits() {
        let read = |text: &str| Color::try_from(text.to_owned());
        assert_eq!(read("#0A80ff").unwrap().rgba(), [10, 128, 255, 255]);
        assert_eq!(read("#0a80ff00").unwrap().rgba(), [10, 128, 255, 0]);
        assert_eq!(read("#FFFFFF"), Ok(Color::WHITE));
        for text in ["#0A80ff", "#0a80ff00"] {
            let again = String::from(read(text).unwrap());
            assert_eq!(again, text.to_lowercase());
        }
        for text in [
            "", "#", "white", "0a80ff", "#fff", "#0a80fg", "#+a80ff", "#0a80ff0",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
