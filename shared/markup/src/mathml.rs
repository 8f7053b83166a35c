//! Formulas (MathML) as text on one line, as those of OMML.

use layout::{Script, Style};

use crate::line::Line;
use crate::math::{push_operand, push_root, scripted};
use crate::xml::{Element, Node};

/// Appends a formula to a line.
pub(crate) fn read(element: &Element, style: &Style, line: &mut Line) {
    let parts: Vec<&Element> = element.elements().collect();
    // HTML has no prefixes.
    let name = element.name();
    match (name.strip_prefix("math:").unwrap_or(name), &*parts) {
        ("mi" | "mn" | "mo" | "mtext" | "ms", _) => token(&element.text(), style, line),
        ("annotation" | "annotation-xml", _) => {}
        ("mfrac", [over, under]) => {
            push_operand(separate(over, style), style, line);
            line.push("/", style, None);
            push_operand(separate(under, style), style, line);
        }
        ("msqrt", _) => {
            let mut operand = Line::default();
            content(element, style, &mut operand);
            push_root(operand, style, line);
        }
        ("mroot", [base, index]) => {
            script(index, Script::Super, style, line);
            push_root(separate(base, style), style, line);
        }
        ("msup" | "mover", [base, above]) => {
            read(base, style, line);
            script(above, Script::Super, style, line);
        }
        ("msub" | "munder", [base, below]) => {
            read(base, style, line);
            script(below, Script::Sub, style, line);
        }
        ("msubsup" | "munderover", [base, below, above]) => {
            read(base, style, line);
            script(below, Script::Sub, style, line);
            script(above, Script::Super, style, line);
        }
        ("mfenced", parts) => {
            line.push(element.get("open").unwrap_or("("), style, None);
            for (index, part) in parts.iter().enumerate() {
                line.push(if index > 0 { "," } else { "" }, style, None);
                read(part, style, line);
            }
            line.push(element.get("close").unwrap_or(")"), style, None);
        }
        ("mtable", rows) => {
            for (index, row) in rows.iter().enumerate() {
                line.push(if index > 0 { "; " } else { "" }, style, None);
                let cells = row.elements().map(|cell| separate(cell, style));
                for (index, cell) in cells.enumerate() {
                    line.push(if index > 0 { " " } else { "" }, style, None);
                    line.extend(cell.trimmed());
                }
            }
        }
        _ => content(element, style, line),
    }
}

fn content(element: &Element, style: &Style, line: &mut Line) {
    for node in element.children() {
        match node {
            Node::Element(inner) => read(inner, style, line),
            Node::Text(text) => token(text, style, line),
        }
    }
}

fn script(element: &Element, script: Script, style: &Style, line: &mut Line) {
    line.extend(separate(element, &scripted(style, script)).trimmed());
}

/// Reads a part into a line of its own.
fn separate(element: &Element, style: &Style) -> Line {
    let mut line = Line::default();
    read(element, style, &mut line);
    line
}

/// Appends a token without white space around it and without invisible operators. Words, such as names of functions, are apart from
/// their neighbors.
fn token(text: &str, style: &Style, line: &mut Line) {
    let is_visible = |c: &char| !matches!(c, '\u{2061}'..='\u{2064}');
    let text: String = text.trim().chars().filter(is_visible).collect();
    let is_word = text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if is_word && line.last().is_some_and(char::is_alphanumeric) {
        line.push(" ", style, None);
    }
    line.push(&text, style, None);
    line.push(if is_word { " " } else { "" }, style, None);
}

#[cfg(test)]
mod tests {
    use layout::{Script, Style};

    use super::read;
    use crate::limits::{Budget, Limits};
    use crate::line::Line;
    use crate::xml;

    #[test]
    fn formulas_are_read_on_one_line() {
        let shown = |formula: &str| {
            let page = format!("<math xmlns='http://www.w3.org/1998/Math/MathML'>{formula}</math>");
            let budget = Budget::new(Limits::default());
            let mut line = Line::default();
            let root = xml::tree(page.as_bytes(), &budget).unwrap();
            read(&root, &Style::default(), &mut line);
            let marked = line.runs().iter().map(|run| match run.style.script {
                Script::None => run.text.clone(),
                Script::Super => format!("^{}", run.text),
                Script::Sub => format!("_{}", run.text),
            });
            marked.collect::<String>()
        };
        let sum = "<mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow>";
        for (formula, expected) in [
            ("<mfrac><mn>1</mn><mn>2</mn></mfrac>".to_owned(), "1/2"),
            (format!("<mfrac>{sum}<mi>y</mi></mfrac>"), "(x+1)/y"),
            (format!("<msqrt>{sum}</msqrt>"), "√(x+1)"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>".to_owned(), "^3√(x)"),
            (
                "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>".to_owned(),
                "x_i^2",
            ),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>"
                    .to_owned(),
                "1 2; 3",
            ),
            (
                "<mfenced><mi>a</mi><mi>b</mi></mfenced>".to_owned(),
                "(a,b)",
            ),
            (
                "<semantics><mrow><mn>2</mn><mo>&#x2062;</mo><mi>sin</mi><mi>x</mi></mrow><annotation>no</annotation></semantics>"
                    .to_owned(),
                "2 sin x",
            ),
        ] {
            assert_eq!(shown(&formula), expected, "{formula}");
        }
    }
}
