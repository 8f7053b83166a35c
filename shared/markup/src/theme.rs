//! The theme of a document: fonts and colours that styles name by their part in it.

use std::collections::HashMap;

use crate::look;
use crate::units;
use crate::xml::Element;

/// Fonts and colours by their part in a theme.
#[derive(Clone, Debug, Default)]
pub(crate) struct Theme {
    major: Option<String>,
    minor: Option<String>,
    colours: HashMap<String, [u8; 3]>,
}

impl Theme {
    /// What a theme part says.
    pub(crate) fn read(root: &Element) -> Self {
        let elements = root.find("a:themeElements");
        let font = |part| {
            let latin = elements?
                .find("a:fontScheme")?
                .find(part)?
                .find("a:latin")?;
            Some(look::family(latin.get("typeface")?)).filter(|name| !name.is_empty())
        };
        let scheme = elements.and_then(|elements| elements.find("a:clrScheme"));
        Self {
            major: font("a:majorFont"),
            minor: font("a:minorFont"),
            colours: scheme.map(colours).unwrap_or_default(),
        }
    }

    /// The font that a name such as `majorHAnsi` or `+mn-lt` stands for.
    pub(crate) fn font(&self, name: &str) -> Option<&str> {
        match name.starts_with("major") || name.starts_with("+mj") {
            true => self.major.as_deref(),
            false => self.minor.as_deref(),
        }
    }

    /// The colour that a name such as `accent1` or `tx1` stands for.
    pub(crate) fn colour(&self, name: &str) -> Option<[u8; 3]> {
        let name = match name {
            "tx1" => "dk1",
            "tx2" => "dk2",
            "bg1" => "lt1",
            "bg2" => "lt2",
            other => other,
        };
        self.colours.get(name).copied()
    }
}

fn colours(scheme: &Element) -> HashMap<String, [u8; 3]> {
    let named = scheme.elements().filter_map(|element| {
        let name = element.name().strip_prefix("a:")?;
        let value = element.elements().next()?;
        let text = value.get("lastClr").or_else(|| value.get("val"))?;
        Some((name.to_owned(), units::colour(text)?))
    });
    named.collect()
}
