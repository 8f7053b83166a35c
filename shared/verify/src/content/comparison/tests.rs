use super::*;
use crate::content::decimal::Decimal;

/// Paragraphs as items.
fn items(paragraphs: &[&str]) -> impl Fn(Take<'_>) -> Result<(), Unreadable> {
    let paragraphs: Vec<String> = paragraphs.iter().map(|text| (*text).to_owned()).collect();
    move |take: Take<'_>| {
        for (number, text) in (1..).zip(&paragraphs) {
            let place = Place { number, cell: None };
            match text.as_str() {
                "<number>" => take(Item::Number(None), place),
                "<image>" => take(Item::Image, place),
                "<part>" => take(Item::Part, place),
                "<once>" => take(Item::Once(true), place),
                text if text.starts_with("<image>") => {
                    take(Item::Alternative(text.trim_start_matches("<image>")), place)
                }
                text if text.starts_with("<again>") => {
                    take(Item::Repetition(text.trim_start_matches("<again>")), place)
                }
                text => take(Item::Text(text), place),
            }
            take(Item::Break, place);
        }
        Ok(())
    }
}

fn difference(source: &[&str], result: &[&str]) -> Difference {
    let rules = Rules {
        images: true,
        numbers: true,
        ..Rules::default()
    };
    compare(&items(source), &items(result), rules).unwrap()
}

fn missing(source: &[&str], result: &[&str]) -> u64 {
    difference(source, result).words.missing
}

#[test]
fn words_that_ends_of_lines_divide_are_found_among_equal_parts() {
    let rules = Rules {
        divides_words: true,
        ..Rules::default()
    };
    let result = items(&["b2 1a 12 x 1", "", "2 y"]);
    let missing = |source: &[&str]| {
        compare(&items(source), &result, rules)
            .unwrap()
            .words
            .missing
    };
    assert_eq!(missing(&["b2 1a 12 x 12 y"]), 0);
    assert_eq!(missing(&["b2 1a 12 x 12 y", "12"]), 1);
    // The last word of a line and the first one of the next are words of the source.
    let result = items(&["1", "2", "3"]);
    let found = compare(&items(&["1", "2", "3", "12", "23"]), &result, rules);
    assert_eq!(found.unwrap().words.missing, 2);
}

#[test]
fn words_without_a_space_between_are_found_among_equal_words() {
    let rules = Rules {
        approximate: true,
        ..Rules::default()
    };
    let rest = "one two three four five six seven eight";
    let missing = |source: &str, result: &str| {
        let [source, result] = [[source, rest], [result, rest]];
        let found = compare(&items(&source), &items(&result), rules);
        found.unwrap().words.missing
    };
    let joined = "a word is nowread if its reader nowread a line";
    let written = "a word is now read if its reader now read a line";
    assert_eq!(missing(joined, written), 0);
    // The two words are in the result, but the source has them as well.
    let both = "nowread alpha nowread beta nowread gamma nowread now read";
    assert_eq!(missing(both, "alpha beta gamma now read now read"), 3);
}

#[test]
fn words_of_figures_need_only_their_letters() {
    let missing = |source: &[&str], result: &[&str], approximate| {
        let rules = Rules {
            approximate,
            ..Rules::default()
        };
        let found = compare(&items(source), &items(result), rules);
        found.unwrap().words.missing
    };
    let source = [
        "density of elements",
        "den",
        "sity",
        "xmi yih 4",
        "12 34 56",
    ];
    let result = ["density of elements", "<image>density 4x2 ximh yi"];
    // Numbers are not there.
    assert_eq!(missing(&source, &result, true), 3);
    assert_eq!(missing(&source, &result, false), 7);
    let twice = ["density of elements", "density", "xmi yih 4", "xmi yih 4"];
    assert_eq!(missing(&twice, &result, true), 3);
}

#[test]
fn each_missing_word_is_counted_with_its_place() {
    let found = difference(&["one two", "two three", "four"], &["four one", "two"]);
    assert_eq!(found.words, Shortfall { missing: 2, of: 5 });
    assert_eq!(
        found.places,
        [Place {
            number: 2,
            cell: None
        }]
    );
}

#[test]
fn split_and_joined_words_are_found() {
    assert_eq!(
        missing(&["documents in order"], &["docu-", "ments inorder"]),
        0
    );
    assert_eq!(
        missing(&["documents in order"], &["docu-", "mints inorder"]),
        1
    );
    assert_eq!(missing(&["שלום עולם"], &["םולש םלוע"]), 0);
    assert_eq!(missing(&["שלום"], &["שלון"]), 1);
}

#[test]
fn numbers_and_images_are_counted() {
    let found = difference(
        &["<number>", "<number>", "a", "<image>"],
        &["a 1,234.50 12"],
    );
    assert_eq!(found.numbers.missing, 0);
    assert_eq!(found.images, Shortfall { missing: 1, of: 1 });
    let found = difference(&["<number>", "<number>", "a"], &["a 1,234.50 ###"]);
    assert_eq!(found.numbers, Shortfall { missing: 1, of: 2 });
}

#[test]
fn slides_are_counted() {
    let missing = |parts| {
        let rules = Rules {
            parts,
            ..Rules::default()
        };
        let [source, result] = [3, 2].map(|count| vec!["<part>"; count]);
        let found = compare(&items(&source), &items(&result), rules).unwrap();
        found.parts.missing
    };
    assert_eq!([missing(true), missing(false)], [1, 0]);
}

#[test]
fn headers_are_needed_once() {
    let source = ["Tide tables", "<once>", "Tide tables", "Harbour", "Harbour"];
    assert_eq!(missing(&source, &["Tide tables", "Harbour"]), 0);
    assert_eq!(missing(&source, &["Tide tables"]), 2);
    assert_eq!(missing(&source[1..], &["Harbour"]), 2);
}

#[test]
fn numbers_are_compared_by_value() {
    let rules = Rules {
        approximate: true,
        figures: Figures::Values,
        ..Rules::default()
    };
    let result = items(&["apples", "1200.50", "12.5", "figs", "37", "48", "59"]);
    let compared = |source: &[&str]| compare(&items(source), &result, rules).unwrap().words;
    let complete = ["apples 1,200.50 12.5 %", "figs 37 48 59"];
    assert_eq!(compared(&complete), Shortfall { missing: 0, of: 7 });
    let longer = [
        "apples 1,200.50 12.5 %",
        "figs 37 48 59",
        "plums 371 482 593",
    ];
    assert_eq!(compared(&longer), Shortfall { missing: 4, of: 11 });
    let larger = ["apples 1,200.50 12.5 %", "figs 370 480 590"];
    assert_eq!(compared(&larger).missing, 3);
}

#[test]
fn words_in_another_order_are_counted() {
    let order = |result: &[&str]| difference(&["one two one three", "four", "five"], result).order;
    let same = order(&["one two one three", "four", "five"]);
    assert_eq!((same.compared, same.in_order, same.moved), (6, 6, 0));
    let swapped = order(&["four", "five", "one two one three"]);
    assert_eq!(
        (swapped.compared, swapped.in_order, swapped.moved),
        (6, 4, 2)
    );
}

#[test]
fn cells_may_become_numbers() {
    let rules = Rules {
        texts_become_numbers: true,
        numbers: true,
        ..Rules::default()
    };
    let source = items(&["12 May 2024", "Berlin 7"]);
    let compared = |result: &[&str]| compare(&source, &items(result), rules).unwrap();
    assert_eq!(compared(&["<number>", "Berlin 7"]).numbers.missing, 0);
    assert_eq!(compared(&["Berlin 7"]).numbers.missing, 1);
}

/// The number of words that a result of a PDF misses, and those of their paragraphs. Both have a thousand other words.
fn missing_from_pdf(source: &[&str], result: &[&str], figures: Figures) -> (u64, Vec<u32>) {
    let rules = Rules {
        approximate: true,
        figures,
        ..Rules::default()
    };
    let words: Vec<String> = (1000..2000).map(spelled).collect();
    let words = words.join(" ");
    let [source, result] = [source, result].map(|text| [text, &[words.as_str()]].concat());
    let found = compare(&items(&source), &items(&result), rules).unwrap();
    let numbers = found.places.iter().map(|place| place.number);
    (found.words.missing, numbers.collect())
}

#[test]
fn a_passage_counts_and_scattered_words_do_not() {
    let words: Vec<String> = (0..900).map(spelled).collect();
    let paragraphs: Vec<String> = words.chunks(9).map(|words| words.join(" ")).collect();
    let paragraphs: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
    let without = |is_dropped: &dyn Fn(usize) -> bool| {
        let kept = words.iter().enumerate();
        let kept = kept.filter(|(index, _)| !is_dropped(*index));
        let kept: Vec<&str> = kept.map(|(_, word)| word.as_str()).collect();
        missing_from_pdf(&paragraphs, &[&kept.join(" ")], Figures::Split)
    };
    assert_eq!(without(&|index| index % 120 == 5), (0, vec![]));
    assert_eq!(without(&|index| (45..49).contains(&index)), (4, vec![6]));
    assert_eq!(without(&|index| (45..48).contains(&index)), (0, vec![]));
    let heading = ["Harbour dues"];
    let with_heading = [&heading[..], &paragraphs].concat();
    let found = missing_from_pdf(&with_heading, &paragraphs, Figures::Split);
    assert_eq!(found, (2, vec![1]));
    let with_formula = [&["ab cd"][..], &paragraphs].concat();
    let found = missing_from_pdf(&with_formula, &paragraphs, Figures::Split);
    assert_eq!(found.0, 0);
    let both = without(&|index| index % 300 == 5 || (450..459).contains(&index));
    assert_eq!(both, (9, vec![51]));
    assert_eq!(without(&|index| index % 45 == 5).0, 20);
}

/// A word for a number.
fn spelled(number: u32) -> String {
    let digits = format!("x{number}").into_bytes().into_iter();
    digits.map(|digit| char::from(digit | 0x60)).collect()
}

#[test]
fn equal_words_elsewhere_hide_no_passage() {
    let source = [
        "the red fox and the hen",
        "a hen and the red fox met the hen",
    ];
    let found = missing_from_pdf(&source, &source[1..], Figures::Split);
    assert_eq!(found, (6, vec![1]));
}

#[test]
fn repeated_headers_are_needed_once_unless_they_repeat_a_heading() {
    let header = "Harbour Office Yearly Report";
    let again = format!("<again>{header} 2");
    let missing = |source: &[&str], result| missing_from_pdf(source, &[result], Figures::Split).0;
    assert_eq!(missing(&[header, "one", &again], "one"), 4);
    let with_heading = ["Harbour Office", "Yearly Report", header, "one", &again];
    assert_eq!(missing(&with_heading, "one"), 4);
    let one_of_both = format!("{header} one");
    assert_eq!(missing(&with_heading, &one_of_both), 0);
}

#[test]
fn two_figures_in_a_row_of_a_table_count() {
    let source = ["total 371 482", "rest 1 000 12.5 %", "May 5, 2024"];
    let compared = |result: &[&str]| missing_from_pdf(&source, result, Figures::Values).0;
    assert_eq!(
        compared(&["total", "371", "482", "rest", "1000", "12.5", "May 5, 2024"]),
        0
    );
    assert_eq!(
        compared(&["total", "rest", "1000", "12.5", "May 5, 2024"]),
        2
    );
}

#[test]
fn letters_account_for_one_word_only() {
    assert_eq!(missing(&["art", "art"], &["party"]), 1);
    assert_eq!(missing(&["in", "terval", "val"], &["interval"]), 1);
}

#[test]
fn letters_that_are_drawn_in_another_order_are_found() {
    assert_eq!(missing(&["परस्पर", "चेतना"], &["तचनेपापरसर्"]), 0);
    assert_eq!(missing(&["परस्पर", "चेतना"], &["परस्पर"]), 1);
    assert_eq!(missing(&["מילה", "אחת"], &["הלימ", "תחא"]), 0);
    assert_eq!(missing(&["live"], &["evil"]), 1);
}

#[test]
fn alternatives_are_words_of_the_result() {
    let result = |take: Take<'_>| {
        take(Item::Text("5 Sep 2024"), Place::default());
        take(Item::Alternative("Sept"), Place::default());
        take(Item::Break, Place::default());
        Ok(())
    };
    let compared = |source: &[&str]| compare(&items(source), &result, Rules::default()).unwrap();
    assert_eq!(compared(&["5 Sept 2024"]).words.missing, 0);
    assert_eq!(compared(&["5 Sept 2024 Sept"]).words.missing, 1);
}

#[test]
fn typed_numbers_are_compared_by_value() {
    let numbers = |values: &'static [f64]| {
        move |take: Take<'_>| {
            for (number, value) in (1..).zip(values) {
                let place = Place { number, cell: None };
                take(Item::Number(Decimal::new(*value)), place);
                take(Item::Break, place);
            }
            Ok(())
        }
    };
    let rules = |values| Rules {
        numbers: true,
        values,
        ..Rules::default()
    };
    let (source, changed) = (numbers(&[1.5, 2.25, 3.0]), numbers(&[1.5, 3.0, 2.5]));
    let found = compare(&source, &changed, rules(true)).unwrap();
    assert_eq!(found.numbers, Shortfall { missing: 1, of: 3 });
    assert_eq!(found.places.first().map(|place| place.number), Some(2));
    let swapped = numbers(&[1.5, 3.0, 2.25]);
    let found = compare(&source, &swapped, rules(true)).unwrap();
    assert_eq!((found.numbers.missing, found.order.moved), (0, 1));
    let found = compare(&source, &changed, rules(false)).unwrap();
    assert_eq!(found.numbers.missing, 0);
}

#[test]
fn hidden_words_of_the_source_are_counted_once() {
    let place = |number| Place { number, cell: None };
    let source = |take: Take<'_>| {
        take(Item::Text("one two two"), place(1));
        take(Item::Break, place(1));
        take(
            Item::Hidden {
                text: "three four",
                images: 1,
            },
            place(3),
        );
        Ok(())
    };
    let result = |take: Take<'_>| {
        take(Item::Text("two"), Place::default());
        take(Item::Break, Place::default());
        take(Item::Beyond("one one two two master"), Place::default());
        Ok(())
    };
    let found = |hidden_shapes| {
        let rules = Rules {
            images: true,
            hidden_shapes,
            ..Rules::default()
        };
        compare(&source, &result, rules).unwrap()
    };
    let hidden = |words, images, slides| HiddenContent {
        words,
        images,
        slides,
    };
    let printed = found(HiddenShapes::Counted);
    assert_eq!(printed.words, Shortfall { missing: 0, of: 3 });
    assert_eq!(printed.hidden, hidden(4, 1, vec![1, 3]));
    assert_eq!(found(HiddenShapes::Ignored).hidden, hidden(2, 0, vec![1]));
    let wanted = found(HiddenShapes::Wanted);
    assert_eq!(wanted.words, Shortfall { missing: 2, of: 5 });
    assert_eq!(wanted.images, Shortfall { missing: 1, of: 1 });
}
