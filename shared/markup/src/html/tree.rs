//! The elements of a page, those that nobody ended ended where others begin.

use crate::error::{MarkupError, Outcome};
use crate::limits::Budget;
use crate::xml::Element;

use super::elements::ends_paragraph;
use super::tokens::{Token, Tokens};

/// Elements that hold nothing.
const VOID: [&str; 16] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "link", "meta", "param", "source", "wbr",
];

/// The elements of a page under one without a name.
pub(super) fn build(text: &str, budget: &Budget) -> Outcome<Element> {
    let mut tree = Tree {
        open: vec![Element::default()],
        deepest: budget.limits.depth,
    };
    for (count, token) in Tokens::of(text).enumerate() {
        if count >= budget.limits.elements_at_once {
            return Err(MarkupError::TooLarge("it has too many elements"));
        }
        match token {
            Token::Start(name, attributes, empty) => {
                budget.spend(1 + attributes.len())?;
                tree.start(name, attributes, empty);
            }
            Token::End(name) => tree.end(&name),
            Token::Text(text) => {
                budget.spend(1)?;
                tree.text(&text);
            }
        }
    }
    Ok(tree.finish())
}

struct Tree {
    /// The elements that are open, the outermost first.
    open: Vec<Element>,
    /// How many may be within one another; what is deeper stands beside what it is in.
    deepest: usize,
}

impl Tree {
    fn start(&mut self, name: String, attributes: Vec<(String, String)>, empty: bool) {
        self.make_room(&name);
        if name == "form" && self.is_in_rows() {
            return;
        }
        self.begin_row(&name);
        let is_void = VOID.contains(&name.as_str());
        let is_drawing = empty
            && self
                .open
                .iter()
                .any(|open| open.is("svg") || open.is("math"));
        let element = Element::new(&name, attributes);
        match is_void || is_drawing || self.open.len() >= self.deepest {
            true => self.add(element),
            false => self.open.push(element),
        }
    }

    /// Ends what an element that begins ends.
    fn make_room(&mut self, name: &str) {
        match name {
            "li" => self.end_within(&["li"], &["ul", "ol", "menu", "table", "td", "th"]),
            "dt" | "dd" => self.end_within(&["dt", "dd"], &["dl", "table", "td", "th"]),
            "option" | "optgroup" => self.end_within(&["option"], &["select"]),
            "td" | "th" => self.end_within(&["td", "th"], &["tr", "table"]),
            "tr" => self.end_within(&["tr"], &["table"]),
            "thead" | "tbody" | "tfoot" => {
                self.end_within(&["thead", "tbody", "tfoot"], &["table"])
            }
            "rt" | "rp" => self.end_within(&["rt", "rp"], &["ruby"]),
            _ => {}
        }
        if ends_paragraph(name) {
            self.end_within(
                &["p"],
                &[
                    "td", "th", "caption", "table", "button", "object", "li", "dd", "div",
                ],
            );
        }
    }

    /// Begins the row that a cell stands in where nothing says so.
    fn begin_row(&mut self, name: &str) {
        let in_row = self.open.last().is_some_and(|open| open.is("tr"));
        let deep = self.open.len() >= self.deepest;
        if matches!(name, "td" | "th") && self.is_in_rows() && !in_row && !deep {
            self.open.push(Element::new("tr", Vec::new()));
        }
    }

    /// Whether what begins here stands between the cells of a table.
    fn is_in_rows(&self) -> bool {
        let last = self.open.last().map(Element::name);
        matches!(last, Some("table" | "thead" | "tbody" | "tfoot" | "tr"))
    }

    fn end(&mut self, name: &str) {
        let walls: &[&str] = match name {
            "table" | "html" | "body" => &[],
            "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "caption" => &["table"],
            _ => &["td", "th", "caption", "table"],
        };
        match name {
            // The end of a line that has no beginning.
            "br" => self.add(Element::new("br", Vec::new())),
            _ => self.end_within(&[name], walls),
        }
    }

    /// Ends the innermost element of these names and all in it, unless a wall stands before it.
    fn end_within(&mut self, names: &[&str], walls: &[&str]) {
        let is_one = |element: &Element, of: &[&str]| of.contains(&element.name());
        let found = self
            .open
            .iter()
            .rposition(|open| is_one(open, names) || is_one(open, walls));
        let Some(place) = found.filter(|place| {
            self.open
                .get(*place)
                .is_some_and(|open| is_one(open, names))
        }) else {
            return;
        };
        while self.open.len() > place.max(1) {
            self.close();
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(last) = self.open.last_mut() {
            last.push_text(text);
        }
    }

    fn add(&mut self, element: Element) {
        if let Some(last) = self.open.last_mut() {
            last.push(element);
        }
    }

    fn close(&mut self) {
        if let Some(element) = self.open.pop() {
            self.add(element.ended());
        }
    }

    fn finish(mut self) -> Element {
        while self.open.len() > 1 {
            self.close();
        }
        self.open.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn outline(text: &str) -> String {
        fn show(element: &Element) -> String {
            let inner: Vec<String> = element.elements().map(show).collect();
            format!("{}({})", element.name(), inner.join(" "))
        }
        show(&build(text, &Budget::new(Limits::default())).unwrap())
    }

    #[test]
    fn elements_end_where_others_begin() {
        assert_eq!(outline("<p>a<p>b<div>c</div>"), "(p() p() div())");
        assert_eq!(
            outline("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"),
            "(ul(li() li(ul(li())) li()))"
        );
        assert_eq!(
            outline("<table><tr><td>a<td><p>b<tr><td>c</table>"),
            "(table(tr(td() td(p())) tr(td())))"
        );
        assert_eq!(outline("<td></div></p></table></b>x"), "(td())");
        assert_eq!(outline("<b><p>a</b>b</p><br></br>"), "(b(p()) br() br())");
        assert_eq!(
            outline("<table><td>a<form><tr><td>b</form></table>"),
            "(table(tr(td(form())) tr(td())))"
        );
        assert_eq!(
            outline("<table><form><tr><td>b</tr></form></table>"),
            "(table(tr(td())))"
        );
        assert_eq!(outline("<dl><dt>a<dd>b<dt>c</dl>"), "(dl(dt() dd() dt()))");
    }

    #[test]
    fn what_is_too_deep_stands_beside() {
        let text = "<div>".repeat(100_000) + "x";
        let root = build(&text, &Budget::new(Limits::default())).unwrap();
        assert_eq!(root.text(), "x");
    }
}
