//! Parses PDF dates: `D:20260131235959+01'00'`, of which everything but the year is optional [ISO 32000-1, 7.9.4].

/// Returns a date in RFC 3339, truncated to the given precision; `None` if it is invalid.
pub fn read(text: &str) -> Option<String> {
    let text = text.strip_prefix("D:").unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let (digits, zone) = text.split_at_checked(digits)?;
    let part = |from: usize, to: usize| digits.get(from..to);
    let mut date = part(0, 4)?.to_owned();
    for (from, least, most) in [(4, 1, 12), (6, 1, 31)] {
        let Some(part) = part(from, from + 2) else {
            return Some(date);
        };
        within(part, least, most)?;
        date = format!("{date}-{part}");
    }
    let Some(hour) = part(8, 10) else {
        return Some(date);
    };
    let (minute, second) = (part(10, 12).unwrap_or("00"), part(12, 14).unwrap_or("00"));
    within(hour, 0, 23)?;
    within(minute, 0, 59)?;
    within(second, 0, 59)?;
    Some(format!("{date}T{hour}:{minute}:{second}{}", offset(zone)?))
}

fn within(part: &str, least: u8, most: u8) -> Option<()> {
    let value: u8 = part.parse().ok()?;
    (least..=most).contains(&value).then_some(())
}

/// The UTC offset; a date without one is taken as UTC.
fn offset(zone: &str) -> Option<String> {
    let Some(sign) = zone.chars().next().filter(|sign| matches!(sign, '+' | '-')) else {
        return Some("Z".to_owned());
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let hours = digits.get(0..2)?;
    let minutes = digits.get(2..4).unwrap_or("00");
    within(hours, 0, 23)?;
    within(minutes, 0, 59)?;
    Some(format!("{sign}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_precision() {
        for (text, expected) in [
            ("D:20260131235959+01'30'", Some("2026-01-31T23:59:59+01:30")),
            ("D:20260131235959Z", Some("2026-01-31T23:59:59Z")),
            ("D:20260131235959Z00'00'", Some("2026-01-31T23:59:59Z")),
            ("20260131235959-08", Some("2026-01-31T23:59:59-08:00")),
            ("D:2026013123", Some("2026-01-31T23:00:00Z")),
            ("D:202601", Some("2026-01")),
            ("D:2026", Some("2026")),
            ("D:20261331", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        }
    }
}
