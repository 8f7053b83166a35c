//! Parses lengths into points, and colors.

/// Parses a length in twips (1/20 point).
pub(crate) fn twips(text: &str) -> Option<f32> {
    match text.trim().parse::<f32>() {
        Ok(count) => bounded(count / 20.0),
        // Strict OOXML may write a unit instead.
        Err(_) => length(text),
    }
}

/// Parses a length in EMU (1/12,700 point).
pub(crate) fn emu(text: &str) -> Option<f32> {
    match text.trim().parse::<f64>() {
        Ok(count) => bounded((count / 12_700.0) as f32),
        Err(_) => length(text),
    }
}

/// Parses a length with its unit, such as `2.5cm`.
pub(crate) fn length(text: &str) -> Option<f32> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)));
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor = match unit.trim() {
        "pt" => 1.0,
        "px" | "" => 0.75,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 7.2 / 2.54,
        "pc" | "pi" => 12.0,
        _ => return None,
    };
    bounded(number.parse::<f32>().ok()? * factor)
}

/// Parses a color such as `#1F4E79` or `1F4E79`.
pub(crate) fn color(text: &str) -> Option<[u8; 3]> {
    let text = text.trim().trim_start_matches('#');
    if text.len() != 6 || !text.is_ascii() {
        return None;
    }
    let number = u32::from_str_radix(text, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

/// Rejects NaN and lengths of more than a kilometer.
fn bounded(points: f32) -> Option<f32> {
    (points.is_finite() && points.abs() < 3.0e6).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_points() {
        assert_eq!(twips("240"), Some(12.0));
        assert_eq!(twips("12pt"), Some(12.0));
        assert_eq!(emu("914400"), Some(72.0));
        assert_eq!(length("1in"), Some(72.0));
        assert_eq!(length("2.54cm"), Some(72.0));
        assert_eq!(length("16px"), Some(12.0));
        assert_eq!(length("50%"), None);
        assert_eq!(length("1e30cm"), None);
    }

    #[test]
    fn colors_are_three_bytes() {
        assert_eq!(color("#1F4E79"), Some([0x1f, 0x4e, 0x79]));
        assert_eq!(color("auto"), None);
        assert_eq!(color("ééé"), None);
    }
}
