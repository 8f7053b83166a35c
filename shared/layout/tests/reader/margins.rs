//! Rows at the edges of pages: which are headers and footers, and which are rows of what goes on over the pages.

use layout::{Page, PageContent};

use crate::pen::{Pen, pages, shown};

/// Sheets that are drawn by the number of each.
fn sheets(count: u32, draw: impl Fn(&mut Pen, u32)) -> Vec<PageContent> {
    let sheet = |number| {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        draw(&mut pen, number);
        pen.sheet
    };
    (1..=count).map(sheet).collect()
}

/// Where a row of these stands.
fn at(row: u32, top: f32, pitch: f32) -> f32 {
    top + f32::from(u16::try_from(row).unwrap()) * pitch
}

/// Log lines from near the upper edge to near the lower one.
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
        pen.write(50.0, at(row, 45.0, 12.0), &text);
    }
}

/// Rows of two columns, each of which differs from the others only in its numbers.
fn prices(pen: &mut Pen, number: u32) {
    for row in 0..40 {
        let count = (number - 1) * 40 + row + 1;
        let y = at(row, 70.0, 17.0);
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
fn lines_of_a_log_that_differ_in_numbers_are_no_headers() {
    let read = pages(&sheets(5, log));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("sensor").count(), 300);
}

#[test]
fn rows_of_a_table_that_differ_in_numbers_are_no_headers() {
    let read = pages(&sheets(4, prices));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("Item").count(), 160);
}

#[test]
fn rows_that_say_the_same_on_many_pages_are_no_headers_at_the_distance_of_rows() {
    let read = pages(&sheets(4, |pen, _| {
        for row in 0..40 {
            let vote = if row % 5 < 2 { "yes" } else { "no" };
            pen.write(50.0, at(row, 70.0, 17.0), vote);
            pen.write(400.0, at(row, 70.0, 17.0), "1");
        }
    }));
    read.iter().for_each(bare);
}

#[test]
fn numbered_questions_are_no_headers() {
    let read = pages(&sheets(4, |pen, number| {
        for question in 0..9 {
            let count = (number - 1) * 9 + question + 1;
            let y = at(question, 50.0, 80.0);
            pen.write(
                50.0,
                y,
                &format!("{count}. What is {count} plus {}?", count * 3),
            );
            for (row, letter) in (1..).zip(["a", "b", "c"]) {
                pen.write(
                    70.0,
                    at(row, y, 14.0),
                    &format!("{letter}) {}", count * 4 + row),
                );
            }
        }
    }));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("What is").count(), 36);
}

#[test]
fn entries_of_a_table_of_contents_are_no_headers() {
    let read = pages(&sheets(3, |pen, number| {
        for row in 0..44 {
            let count = (number - 1) * 44 + row + 1;
            let text = format!("Section {count} {} {}", ".".repeat(60), count * 2);
            pen.write(50.0, at(row, 50.0, 16.0), &text);
        }
    }));
    read.iter().for_each(bare);
    assert_eq!(words(&read).matches("Section").count(), 132);
}

/// What stands beside rows that differ in numbers is a header or a footer where it counts with the pages.
#[test]
fn numbers_that_count_with_the_pages_are_of_headers_and_footers() {
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
            let header = format!("p Prices of 02.03.2026 {}\n", number + 16);
            assert_eq!(shown(&page.header).replace('\t', " "), header);
            assert_eq!(shown(&page.footer), format!("p Page {number} of 4\n"));
        }
    }
}

#[test]
fn numbers_of_even_and_odd_pages_and_of_prefaces_are_of_footers() {
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

/// Numbers of pages are told where they begin again, even on too few pages to count.
#[test]
fn numbers_that_begin_again_are_of_footers() {
    let read = pages(&sheets(12, |pen, number| {
        prices(pen, number);
        let page = if number <= 2 { number } else { number - 2 };
        pen.write(280.0, 780.0, &format!("Page {page}"));
    }));
    assert!(read.iter().all(|page| page.footer.len() == 1));
}

#[test]
fn what_is_the_same_in_the_margin_of_all_pages_is_a_header_however_near_the_text_is() {
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
fn the_head_of_a_table_that_each_page_repeats_is_no_header() {
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
            let y = at(row, 99.0, 16.0);
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
        let header = format!("p Account 12 34 Page {} of 3\n", page.number);
        assert_eq!(shown(&page.header).replace('\t', " "), header);
        let read = shown(&page.blocks);
        assert!(read.starts_with("t 37x5 "), "{read}");
        assert!(read.contains("\n  0,0: p Date\n  0,1: p Text\n"), "{read}");
    }
}

#[test]
fn the_head_of_two_columns_over_a_rule_is_no_header() {
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
