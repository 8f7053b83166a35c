//! Theme fonts and colors.

use std::collections::HashMap;

use crate::partial_style;
use crate::units;
use crate::xml::Element;

/// Fonts and colors of a theme by their role.
#[derive(Clone, Debug, Default)]
pub(crate) struct Theme {
    major: Option<String>,
    minor: Option<String>,
    colors: HashMap<String, [u8; 3]>,
}

impl Theme {
    /// Reads a theme part.
    pub(crate) fn read(root: &Element) -> Self {
        let elements = root.find("a:themeElements");
        let font = |part| {
            let latin = elements?
                .find("a:fontScheme")?
                .find(part)?
                .find("a:latin")?;
            Some(partial_style::family(latin.get("typeface")?)).filter(|name| !name.is_empty())
        };
        let scheme = elements.and_then(|elements| elements.find("a:clrScheme"));
        Self {
            major: font("a:majorFont"),
            minor: font("a:minorFont"),
            colors: scheme.map(colors).unwrap_or_default(),
        }
    }

    /// Returns the font of a theme reference such as `majorHAnsi` or `+mn-lt`.
    pub(crate) fn font(&self, name: &str) -> Option<&str> {
        match name.starts_with("major") || name.starts_with("+mj") {
            true => self.major.as_deref(),
            false => self.minor.as_deref(),
        }
    }

    /// Returns the color of a theme reference such as `accent1` or `tx1`.
    pub(crate) fn color(&self, name: &str) -> Option<[u8; 3]> {
        let name = match name {
            "tx1" => "dk1",
            "tx2" => "dk2",
            "bg1" => "lt1",
            "bg2" => "lt2",
            other => other,
        };
        self.colors.get(name).copied()
    }
}

fn colors(scheme: &Element) -> HashMap<String, [u8; 3]> {
    let named = scheme.elements().filter_map(|element| {
        let name = element.name().strip_prefix("a:")?;
        let value = element.elements().next()?;
        let text = value.get("lastClr").or_else(|| value.get("val"))?;
        Some((name.to_owned(), units::color(text)?))
    });
    named.collect()
}
