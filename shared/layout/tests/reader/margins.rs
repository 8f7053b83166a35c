//! Rows at the top and bottom of pages: headers and footers, or content that continues across pages.

use layout::{Page, PageContent};

use crate::pen::{Pen, pages, shown};

/// Creates pages; `draw` gets the number of each.
fn sheets(count: u32, draw: impl Fn(&mut Pen, u32)) -> Vec<PageContent> {
    let sheet = |number| {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        draw(&mut pen, number);
        pen.sheet
    };
    (1..=count).map(sheet).collect()
}

/// Returns the baseline of a row.
fn baseline(row: u32, top: f32, pitch: f32) -> f32 {
    top + f32::from(u16::try_from(row).unwrap()) * pitch
}

/// Draws log lines from near the top to near the bottom.
fn log(pen: &mut Pen, number: u32) {
    for row in 0..60 {
        let count = (number - 1) * 60 + row;
        let text = format!(
            "2026-03-02 12:{:02}:{:02} sensor {} reads {}",
            count / 60,
            count % 60,
            count * 7 % 97,
            count * 13 % 101
        );
        pen.write(50.0, baseline(row, 45.0, 12.0), &text);
    }
}

/// Draws rows of two columns that differ from page to page only in their numbers.
fn prices(pen: &mut Pen, number: u32) {
    for row in 0..40 {
        let count = (number - 1) * 40 + row + 1;
        let y = baseline(row, 70.0, 17.0);
        pen.write(50.0, y, &format!("Item {count}"));
        pen.write(400.0, y, &format!("{}.{:02}", count * 3, count * 7 % 100));
    }
}

fn bare(page: &Page) {
    assert_eq!(shown(&page.header), "");
    assert_eq!(shown(&page.footer), "");
}

fn words(pages: &[Page]) -> String {
    let all: String = pages.iter().map(|page| shown(&page.blocks)).collect();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn log_lines_that_differ_in_numbers_are_not_headers() {
    let read = pages(&sheets(5, log));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("sensor").count(), 300);
}

#[test]
fn table_rows_that_differ_in_numbers_are_not_headers() {
    let read = pages(&sheets(4, prices));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("Item").count(), 160);
}

#[test]
fn repeated_rows_at_row_pitch_are_not_headers() {
    let read = pages(&sheets(4, |pen, _| {
        for row in 0..40 {
            let vote = if row % 5 < 2 { "yes" } else { "no" };
            pen.write(50.0, baseline(row, 70.0, 17.0), vote);
            pen.write(400.0, baseline(row, 70.0, 17.0), "1");
        }
    }));
    read.iter().for_each(bare);
}

#[test]
fn numbered_questions_are_not_headers() {
    let read = pages(&sheets(4, |pen, number| {
        for question in 0..9 {
            let count = (number - 1) * 9 + question + 1;
            let y = baseline(question, 50.0, 80.0);
            pen.write(
                50.0,
                y,
                &format!("{count}. What is {count} plus {}?", count * 3),
            );
            for (row, letter) in (1..).zip(["a", "b", "c"]) {
                pen.write(
                    70.0,
                    baseline(row, y, 14.0),
                    &format!("{letter}) {}", count * 4 + row),
                );
            }
        }
    }));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("What is").count(), 36);
}

#[test]
fn table_of_contents_entries_are_not_headers() {
    let read = pages(&sheets(3, |pen, number| {
        for row in 0..44 {
            let count = (number - 1) * 44 + row + 1;
            let text = format!("Section {count} {} {}", ".".repeat(60), count * 2);
            pen.write(50.0, baseline(row, 50.0, 16.0), &text);
        }
    }));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("Section").count(), 132);
}

/// Text next to rows that differ only in numbers is a header or footer if it contains the page number.
#[test]
fn page_numbers_belong_to_headers_and_footers() {
    let counted = |pen: &mut Pen, number: u32| {
        let (left, right) = (format!("{}", number + 16), format!("Page {number} of 4"));
        pen.write(50.0, 28.0, "Prices of 02.03.2026");
        pen.write(500.0, 28.0, &left);
        pen.write(400.0, 780.0, &right);
    };
    for draw in [log, prices] {
        let read = pages(&sheets(4, |pen, number| {
            draw(pen, number);
            counted(pen, number);
        }));
        for page in &read {
            let number = page.number;
            let header = format!("p Prices of 02.03.2026\t\t{}\n", number + 16);
            assert_eq!(shown(&page.header), header);
            assert_eq!(shown(&page.footer), format!("p Page {number} of 4\n"));
        }
    }
}

#[test]
fn page_numbers_of_even_and_odd_pages_and_prefaces_belong_to_footers() {
    let numerals = ["i", "ii", "iii", "iv"];
    let read = pages(&sheets(20, |pen, number| {
        prices(pen, number);
        let text = match usize::try_from(number).unwrap().checked_sub(5) {
            None => numerals[usize::try_from(number).unwrap() - 1].to_owned(),
            Some(page) if page % 2 == 0 => format!("{} Bridges", page + 1),
            Some(page) => format!("A survey {}", page + 1),
        };
        pen.write(280.0, 780.0, &text);
    }));
    assert!(read.iter().all(|page| page.footer.len() == 1));
    assert_eq!(words(&read).matches("Item").count(), 800);
}

/// Page numbers are recognized where they restart, even on few pages.
#[test]
fn restarted_page_numbers_belong_to_footers() {
    let read = pages(&sheets(12, |pen, number| {
        prices(pen, number);
        let page = if number <= 2 { number } else { number - 2 };
        pen.write(280.0, 780.0, &format!("Page {page}"));
    }));
    assert!(read.iter().all(|page| page.footer.len() == 1));
}

#[test]
fn constant_text_in_the_margin_is_a_header_however_close_the_text_is() {
    let read = pages(&sheets(4, |pen, number| {
        log(pen, number);
        pen.write(50.0, 33.0, "Log of the harbour");
    }));
    for page in &read {
        assert_eq!(shown(&page.header), "p Log of the harbour\n");
    }
    assert_eq!(words(&read).matches("sensor").count(), 240);
}

#[test]
fn a_repeated_table_header_is_not_a_page_header() {
    let names = [50.0, 130.0, 350.0, 430.0, 510.0];
    let read = pages(&sheets(3, |pen, number| {
        pen.write(50.0, 30.0, "Account 12 34");
        pen.write(500.0, 30.0, &format!("Page {number} of 3"));
        for (x, name) in names
            .into_iter()
            .zip(["Date", "Text", "Debit", "Credit", "Balance"])
        {
            pen.write(x, 76.0, name);
        }
        pen.line((50.0, 82.0), (550.0, 82.0));
        for row in 0..36 {
            let y = baseline(row, 99.0, 16.0);
            let paid = if row % 3 == 0 { 430.0 } else { 350.0 };
            pen.write(50.0, y, &format!("{:02}.{number:02}.2026", row % 28 + 1));
            pen.write(130.0, y, "Card payment");
            pen.write(paid, y, &format!("{}.{:02}", row * 7 % 31, row * 11 % 100));
            pen.write(
                510.0,
                y,
                &format!("{}.{:02}", row * 17 % 91, number * 11 % 100),
            );
        }
    }));
    for page in &read {
        let header = format!("p Account 12 34\t\tPage {} of 3\n", page.number);
        assert_eq!(shown(&page.header), header);
        let read = shown(&page.blocks);
        assert!(read.starts_with("t 37x5 "), "{read}");
        assert!(read.contains("\n  0,0: p Date\n  0,1: p Text\n"), "{read}");
    }
}

#[test]
fn a_ruled_table_header_of_two_columns_is_not_a_page_header() {
    let read = pages(&sheets(3, |pen, number| {
        pen.write(50.0, 48.0, "Item");
        pen.write(400.0, 48.0, "Price");
        pen.line((50.0, 54.0), (450.0, 54.0));
        prices(pen, number);
    }));
    for page in &read {
        bare(page);
        let read = shown(&page.blocks);
        assert!(read.starts_with("t 41x2 "), "{read}");
    }
}

/// Draws paragraphs that differ from page to page.
fn prose(pen: &mut Pen, number: u32) {
    let words = [
        "mill", "river", "lane", "house", "bridge", "harbor", "market", "field", "barn",
    ];
    for row in 0..40 {
        let word = |step: u32| words[usize::try_from((number * 5 + row * step) % 9).unwrap()];
        let text = format!(
            "The {} by the {} and the {} of it",
            word(2),
            word(4),
            word(7)
        );
        pen.write(50.0, baseline(row, 70.0, 12.0), &text);
    }
}

const CHAPTERS: [&str; 4] = ["Of mills", "Of rivers", "Of lanes", "Of barns"];

#[test]
fn running_headers_that_change_with_each_chapter_are_headers_of_their_pages() {
    let chapter = |number: u32| usize::try_from((number - 1) / 3).unwrap();
    let read = pages(&sheets(12, |pen, number| {
        prose(pen, number);
        if number % 3 != 1 {
            pen.write(400.0, 36.0, CHAPTERS[chapter(number)]);
        }
    }));
    for page in &read {
        let header = match page.number % 3 {
            1 => String::new(),
            _ => format!("p {}\n", CHAPTERS[chapter(page.number)]),
        };
        assert_eq!(shown(&page.header), header, "page {}", page.number);
    }
}

#[test]
fn numbers_of_an_axis_are_no_footer_but_a_date_with_the_page_number_is() {
    let footers = |texts: &[&str]| -> Vec<String> {
        let read = pages(&sheets(6, |pen, number| {
            prose(pen, number);
            for (column, text) in (0_u16..).zip(texts) {
                let text = text.replace('#', &number.to_string());
                pen.write(60.0 + 90.0 * f32::from(column), 800.0, &text);
            }
        }));
        read.iter().map(|page| shown(&page.footer)).collect()
    };
    let of_axis = footers(&["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
    assert!(of_axis.iter().all(String::is_empty), "{of_axis:?}");
    let of_dates = footers(&["2026-12-03", "#"]);
    assert!(of_dates.iter().all(|footer| footer.contains("2026")));
}

#[test]
fn running_headers_with_page_numbers_may_differ_on_every_page() {
    let titles = [
        "Early Bridges",
        "Stone",
        "Iron and Steel",
        "Cables",
        "Tunnels",
        "Sources",
    ];
    let draw = |step: u32| {
        let sheets = sheets(6, |pen, number| {
            let title = titles[usize::try_from(number - 1).unwrap()];
            let title = format!("{number}.1 {title}");
            let page = 30 + number * step;
            match number % 2 {
                0 => pen.write(50.0, 40.0, &format!("{page} {title}")),
                _ => pen.write(300.0, 40.0, &format!("{title} {page}")),
            };
            prose(pen, number);
        });
        pages(&sheets)
    };
    for page in draw(1) {
        let header = shown(&page.header);
        let title = titles[usize::try_from(page.number - 1).unwrap()];
        assert!(
            header.contains(title) && header.lines().count() == 1,
            "{header}"
        );
        assert!(
            shown(&page.blocks).starts_with("p The "),
            "page {}",
            page.number
        );
    }
    draw(7).iter().for_each(bare);
}

#[test]
fn titles_of_slides_are_not_headers() {
    let read = pages(&sheets(8, |pen, number| {
        prose(pen, number);
        let title = CHAPTERS[usize::try_from((number - 1) / 2).unwrap()];
        pen.sized(20.0).write(50.0, 40.0, title);
    }));
    for page in &read {
        bare(page);
        assert!(shown(&page.blocks).starts_with("h1 Of "));
    }
}

/// A preface has numbers of its own, and appendices have numbers with a letter, on few pages of a long document.
#[test]
fn numbers_of_prefaces_and_appendices_belong_to_footers() {
    let numerals = ["i", "ii", "iii", "iv", "v"];
    let read = pages(&sheets(60, |pen, number| {
        prices(pen, number);
        let number = usize::try_from(number).unwrap();
        match (number, number % 2) {
            (1..=5, 0) => pen.write(
                50.0,
                780.0,
                &format!("{} A survey of 2026", numerals[number - 1]),
            ),
            (1..=5, _) => pen.write(
                400.0,
                780.0,
                &format!("Old bridges {}", numerals[number - 1]),
            ),
            (50..=54, _) => pen.write(400.0, 780.0, &format!("Chapter {number} B-{}", number - 49)),
            _ => pen,
        };
    }));
    let has_footer = |number: usize| read[number - 1].footer.len() == 1;
    assert!((1..=5).chain(50..=54).all(has_footer));
}
