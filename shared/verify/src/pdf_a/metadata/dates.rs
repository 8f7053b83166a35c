//! Dates of PDF and XMP [ISO 32000-1, 7.9.4; ISO 8601].

/// Whether a date of PDF and one of XMP have the same parts.
pub(super) fn is_same_date(pdf: &str, xmp: &str) -> bool {
    let (pdf, xmp) = (parts(pdf.trim_start_matches("D:")), parts(xmp));
    pdf.is_some() && pdf == xmp
}

/// The fourteen digits of date and time, and the offset from UTC in signed digits of hours and minutes.
fn parts(text: &str) -> Option<(String, String)> {
    // The first eight digits are the date, in which a hyphen is no sign.
    let mut count = 0_usize;
    let end = text.bytes().position(|byte| {
        count += usize::from(byte.is_ascii_digit());
        matches!(byte, b'Z' | b'+') || (byte == b'-' && count >= 8)
    });
    let (local, offset) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let whole = local.split('.').next()?;
    let mut digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    if !(4..=14).contains(&digits.len()) {
        return None;
    }
    digits += "00000101000000".get(digits.len()..)?;
    let hours: String = offset.chars().filter(char::is_ascii_digit).collect();
    let is_utc = hours.bytes().all(|digit| digit == b'0');
    let sign = if offset.starts_with('-') { "-" } else { "+" };
    let offset = if is_utc {
        String::new()
    } else {
        format!("{sign}{hours:0<4}")
    };
    Some((digits, offset))
}

#[cfg(test)]
mod tests {
    use super::is_same_date;

    #[test]
    fn dates_are_compared_by_their_parts() {
        let pdf = "D:20261203000456+01'30'";
        assert!(is_same_date(pdf, "2026-12-03T00:04:56+01:30"));
        assert!(!is_same_date(pdf, "2026-12-03T00:04:56-01:30"));
        assert!(!is_same_date(pdf, "2026-12-03T00:04:57+01:30"));
        assert!(is_same_date(
            "D:20261203000456Z00'00'",
            "2026-12-03T00:04:56Z"
        ));
        assert!(is_same_date("D:2026", "2026-01-01"));
        assert!(!is_same_date("today", "today"));
    }
}
