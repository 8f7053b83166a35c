//! Code with line numbers.

use std::sync::Arc;

use layout::Font;

use crate::pen::Pen;

const CODE: [&str; 6] = [
    "def load(path):",
    "    with open(path) as source:",
    "        text = source.read()",
    "",
    "    return text",
    "print(load(name))",
];

/// Reads prose and numbered code; the numbers are monospaced or in a small other font.
fn read(are_monospaced: bool) -> String {
    let mut pen = Pen::new();
    let prose = ["The keeper of the harbour had seen all boats of the town"; 12];
    let y = pen.lines(50.0, 60.0, &prose) + 24.0;
    let font = |is_monospaced| {
        Arc::new(Font {
            family: "Mono".to_owned(),
            is_monospaced,
            ..Font::default()
        })
    };
    for (row, line) in (0_u8..).zip(CODE) {
        let y = y + f32::from(row) * 12.0;
        pen.font = font(are_monospaced);
        let size = if are_monospaced { 10.0 } else { 6.0 };
        pen.sized(size).write(50.0, y, &format!("{}", row + 1));
        pen.font = font(true);
        let indent = line.len() - line.trim_start().len();
        let x = 70.0 + 5.0 * f32::from(u16::try_from(indent).unwrap());
        pen.sized(10.0).write(x, y, line.trim_start());
    }
    let read = pen.read();
    let (_, code) = read.split_once('\n').unwrap();
    code.to_owned()
}

#[test]
fn numbered_code_keeps_its_indents() {
    for are_monospaced in [true, false] {
        let lines: Vec<String> = (1..)
            .zip(CODE)
            .map(|(number, line)| format!("{number}   {line}").trim_end().to_owned())
            .collect();
        let read = read(are_monospaced);
        let read: Vec<&str> = read.trim_start_matches("p ").lines().collect();
        assert_eq!(read, lines, "{are_monospaced}");
    }
}
