//! Number formats compared with the output of spreadsheets.

use super::NumberFormat;
use super::conventions::Conventions;

fn parse(code: &str, locale: &str) -> NumberFormat {
    NumberFormat::parse(code, Conventions::of(locale.parse().unwrap()))
}

fn shown(code: &str, value: f64) -> String {
    parse(code, "en-US").show(value, false)
}

#[test]
fn numbers_are_formatted() {
    for (code, value, text) in [
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 1234567.0, "1234567"),
        ("General", -12.5, "-12.5"),
        ("General", 1e20, "1E+20"),
        ("General", 1.0 / 3.0, "0.333333333333333"),
        ("0", 2.5, "3"),
        ("0", 3.5, "4"),
        ("0.00", 1234.5, "1234.50"),
        ("#,##0", 1234567.4, "1,234,567"),
        ("#,##0.00", 0.5, "0.50"),
        ("#.##", 0.5, ".5"),
        ("#.##", 3.0, "3"),
        ("000", 7.0, "007"),
        ("0%", 0.125, "13%"),
        ("0.0%", 0.1256, "12.6%"),
        ("0.00E+00", 12345.0, "1.23E+04"),
        ("0.00E+00", 0.00012, "1.20E-04"),
        ("##0.0E+0", 12345.0, "12.3E+3"),
        ("0.0E+0", 9.99, "1.0E+1"),
        ("#,##0,", 1234567.0, "1,235"),
        ("0.0,,\"M\"", 1234567.0, "1.2M"),
        ("#,##0.00 [$€-407]", -1234.5, "-1,234.50 €"),
        ("[$$-409]#,##0.00;[Red]([$$-409]#,##0.00)", -3.0, "($3.00)"),
        ("0.00;[Red]-0.00;\"none\"", 0.0, "none"),
        ("[<10]\"few\";[>=10]0", 3.0, "few"),
        ("[<10]\"few\";[>=10]0", 12.0, "12"),
        ("# ?/?", 2.75, "2 3/4"),
        ("# ?/?", 5.0, "5"),
        ("# ??/??", 0.03125, "1/32"),
        ("?/8", 0.5, "4/8"),
        ("0.0", -0.01, "0.0"),
        ("\"No. \"0", 12.0, "No. 12"),
        ("0\\-00", 1234.0, "12-34"),
        ("000\\-00\\-0000", 78051120.0, "078-05-1120"),
        ("##\\-##", 7.0, "-7"),
        ("0.00", 1.005, "1.01"),
        ("0.00", 0.999, "1.00"),
        ("0", 1e20, "100000000000000000000"),
        ("0.00", 1e-20, "0.00"),
        ("_-* #,##0.00_-", 12.0, "12.00"),
        ("@", 12.5, "12.5"),
        ("", 5.0, ""),
    ] {
        let text = if code.is_empty() {
            String::new()
        } else {
            text.to_owned()
        };
        assert_eq!(shown(code, value), text, "{code} {value}");
    }
}

#[test]
fn dates_are_formatted() {
    for (code, value, text) in [
        ("yyyy-mm-dd", 45_356.0, "2024-03-05"),
        ("m/d/yy", 45_356.0, "3/5/24"),
        ("d mmm yyyy", 60.0, "29 Feb 1900"),
        ("d mmm yyyy", 59.0, "28 Feb 1900"),
        ("d mmm yyyy", 61.0, "1 Mar 1900"),
        ("yyyy", 1.0, "1900"),
        ("dddd, mmmm d, yyyy", 45_356.0, "Tuesday, March 5, 2024"),
        ("dd.mm.yyyy hh:mm:ss", 45_356.75, "05.03.2024 18:00:00"),
        ("h:mm AM/PM", 0.5, "12:00 PM"),
        ("h:mm AM/PM", 0.0, "12:00 AM"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("[mm]:ss", 0.125, "180:00"),
        ("mm:ss.0", 0.000_01, "00:00.9"),
        ("mm:ss", 0.000_01, "00:01"),
        ("hh:mm", 0.999_999, "00:00"),
        ("[$-407]d. mmmm yyyy", 45_356.0, "5. März 2024"),
        ("yyyy-mm-dd", -5.0, "-5"),
        ("yyyy-mm-dd", 1e9, "1000000000"),
    ] {
        assert_eq!(shown(code, value), text, "{code} {value}");
    }
    let since = parse("yyyy-mm-dd", "en-US").show(0.0, true);
    assert_eq!(since, "1904-01-01");
}

/// Values that LibreOffice shows for the same codes and locales.
#[test]
fn dates_and_numbers_follow_the_locale_unless_the_code_names_one() {
    for (locale, code, value, text) in [
        ("de-DE", "m/d/yyyy", 36_925.17, "2.3.2001"),
        ("de-DE", "mm:ss.0", 36_925.170_891_203_71, "06:05,0"),
        ("de-DE", "0.0E+00", -1234.5, "-1,2E+03"),
        ("de-DE", "General", -1234.5, "-1234,5"),
        ("de-DE", "[$-409]#,##0.00", -1234.5, "-1,234.50"),
        ("de-DE", "#,##0.00 [$USD]", -1234.5, "-1.234,50 USD"),
        ("de-DE", "[$$-409]#,##0.00", -1234.5, "-$1.234,50"),
        ("de-DE", "[$-40C]d mmmm yyyy", 36_925.17, "3 février 2001"),
        (
            "fr-FR",
            "[$-F800]dddd, mmmm dd, yyyy",
            36_925.17,
            "samedi 3 février 2001",
        ),
        (
            "fr-FR",
            "dd/mm/yyyy hh:mm",
            36_925.170_9,
            "03/02/2001 04:06",
        ),
        ("pl-PL", "d mmmm", 36_892.0, "1 stycznia"),
        ("pl-PL", "mmmm", 36_892.0, "styczeń"),
        ("hi-IN", "#,##0.00", 1_234_567.5, "12,34,567.50"),
    ] {
        assert_eq!(
            parse(code, locale).show(value, false),
            text,
            "{locale} {code}"
        );
    }
    for (locale, number, value, text) in [
        ("de-DE", 14, 36_925.0, "03.02.2001"),
        ("en-GB", 14, 36_925.0, "03/02/2001"),
        ("pl-PL", 22, 36_925.170_9, "2001-02-03 04:06"),
        ("de-DE", 7, -1234.5, "-1.234,50 €"),
        ("en-US", 7, -1234.5, "($1,234.50)"),
    ] {
        let conventions = Conventions::of(locale.parse().unwrap());
        let format = NumberFormat::built_in(number, conventions);
        assert_eq!(format.show(value, false), text, "{locale} {number}");
    }
}

#[test]
fn text_is_formatted() {
    let shown = |code: &str| parse(code, "en-US").show_text("x");
    assert_eq!(shown("0;-0;0;\"<\"@\">\""), "<x>");
    assert_eq!(shown("General"), "x");
    assert_eq!(shown("@"), "x");
}

#[test]
fn malformed_codes_do_not_panic() {
    for code in [
        "[",
        "\"",
        "\\",
        "_",
        "*",
        ";;;;;;",
        "[h",
        "E+",
        "0E+",
        "/",
        "0/0",
        "[>]0",
        "????????/",
        "..",
        "s.000000000",
    ] {
        for value in [0.0, -1.5, 1e300, f64::NAN, f64::MIN_POSITIVE] {
            let _ = shown(code, value);
        }
    }
}
