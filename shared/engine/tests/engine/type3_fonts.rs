//! Type 3 fonts of bitmaps, as dvips and Ghostscript write them: a size in pixels, and maps with control codes.

use std::fmt::Write as _;

use domain::format::Format;
use serde_json::json;

use crate::harness::{self, Converted};
use crate::sample_documents::{pdf, stream};
use crate::structured::step;

/// Points per pixel of a monospaced font of 10 points, and its advance width in pixels.
const PIXEL: f32 = 0.12;
const WIDTH: u16 = 44;

const LINES: [&str; 4] = [
    "the tide leaves sand on the stones",
    "and the harbour closes at dusk",
    "boats wait for water behind the mole",
    "no ship sails in a storm from here",
];

/// A page of these lines in a font of one rectangle per letter, whose Unicode map maps the code of `o` to `target`.
fn document(target: &str) -> Vec<u8> {
    let (mut names, mut programs, mut map) = (String::new(), String::new(), String::new());
    let mut objects = Vec::new();
    for (number, letter) in (7..).zip('a'..='z') {
        let height = if "bdfhklt".contains(letter) { 57 } else { 37 };
        objects.push(stream(
            "",
            format!("{WIDTH} 0 4 0 40 {height} d1 4 0 36 {height} re f").as_bytes(),
        ));
        let code = u32::from(letter);
        let text = if letter == 'o' {
            target
        } else {
            &format!("{code:04x}")
        };
        write!(names, "/{letter}").unwrap();
        write!(programs, "/{letter} {number} 0 R").unwrap();
        writeln!(map, "<{code:02x}> <{text}>").unwrap();
    }
    let mut content = format!("BT /F {PIXEL} Tf ");
    for (row, line) in (0_u16..).zip(LINES) {
        let mut column = 0;
        for word in line.split(' ') {
            let x = 72.0 + f32::from(column) * f32::from(WIDTH) * PIXEL;
            let y = 700 - 12 * row;
            write!(content, "1 0 0 1 {x:.2} {y} Tm ({word}) Tj ").unwrap();
            column += u16::try_from(word.len()).unwrap() + 1;
        }
    }
    content += "ET";
    let widths = format!("{WIDTH} ").repeat(26);
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def \
         1 begincodespacerange <00> <ff> endcodespacerange 26 beginbfchar\n{map}endbfchar \
         endcmap CMapName currentdict /CMap defineresource pop end end"
    );
    let mut all = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
        stream("", content.as_bytes()),
        format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 122\
             /Widths[{widths}]/Encoding<</Differences[97{names}]>>/CharProcs<<{programs}>>/ToUnicode 6 0 R>>"
        )
        .into_bytes(),
        stream("", map.as_bytes()),
    ];
    all.extend(objects);
    pdf(&all)
}

fn converted(target: &str) -> Converted {
    let source = document(target);
    harness::run_bytes(&source, Format::Pdf, &[step("txt", json!({}))]).unwrap()
}

#[test]
fn words_of_bitmap_fonts_are_whole() {
    let text = String::from_utf8(converted("006f").bytes()).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected: Vec<&str> = LINES.iter().flat_map(|line| line.split(' ')).collect();
    assert_eq!(words, expected);
}

#[test]
fn letters_that_the_map_makes_control_codes_are_not_lost() {
    let result = converted("000d");
    let text = String::from_utf8(result.bytes()).unwrap();
    assert!(text.contains("st\u{fffd}nes"), "{text:?}");
    let warnings = result.warnings();
    assert!(warnings.contains(&"characters_unknown"), "{warnings:?}");
}
