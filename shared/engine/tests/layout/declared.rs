//! Letters whose text the document declares (`ActualText`), drawn by several text objects.

use crate::pdf::{Pdf, extract};

const UNICODE: &str = "/CIDInit/ProcSet findresource begin begincmap
1 begincodespacerange <00> <ff> endcodespacerange
3 beginbfchar <6b> <0643> <6d> <0645> <27> <064e> endbfchar
endcmap end";

/// The text of an Arabic word whose letters have a mark each, drawn at this height above the line.
fn word(height: usize) -> String {
    let letters = [
        ("0643064e", 'k', 117),
        ("0645064e", 'm', 100),
        ("0643064e", 'k', 90),
    ];
    let content = letters.map(|(text, letter, x)| {
        format!(
            "/Span <</ActualText<feff{text}>>> BDC BT /F 20 Tf 1 0 0 1 {} {} Tm (') Tj 1 0 0 1 {x} 700 Tm ({letter}) Tj ET EMC ",
            x + 3,
            700 + height
        )
    });
    let mut pdf = Pdf::new(&content.concat());
    pdf.object(
        9,
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 8 0 R>>",
    );
    pdf.stream(8, "", UNICODE.as_bytes());
    let page = extract(&pdf, false)["pages"][0].clone();
    let blocks = page["blocks"].as_array().unwrap().iter();
    let runs = blocks.flat_map(|block| block["runs"].as_array().unwrap());
    runs.map(|run| run["text"].as_str().unwrap()).collect()
}

#[test]
fn letters_are_read_on_their_line_whatever_the_height_of_their_marks() {
    for height in [0, 2, 7, 12] {
        assert_eq!(word(height), "كَمَكَ", "{height}");
    }
}
