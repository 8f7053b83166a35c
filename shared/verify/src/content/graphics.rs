//! Reads the text of charts and diagrams (SmartArt) of an OOXML package, as far as every application displays it.

use super::item::{Item, Unreadable};
use super::package::Package;
use super::scope::Scope;
use super::xml::{Element, Node, walk};

/// Maximum number of categories that an axis or legend displays without leaving some out.
const MAX_CATEGORIES: usize = 8;

/// Calls `emit` with the items of the charts and diagrams of a part.
pub(super) fn read(
    package: &mut Package,
    name: &str,
    scope: Scope,
    emit: &mut dyn FnMut(Item<'_>),
) -> Result<(), Unreadable> {
    let mut related: Vec<String> = package.relationships(name)?.into_values().collect();
    related.sort_unstable();
    related.dedup();
    let is_drawn = related
        .iter()
        .any(|name| name.contains("/diagrams/drawing"));
    let shapes = match is_drawn {
        true => "/diagrams/drawing",
        false => "/diagrams/data",
    };
    emit(Item::Aside(true));
    for name in related {
        let is_chart = name.contains("/charts/chart") && !name.contains("/charts/chartEx");
        if is_chart {
            emit(Item::Chart);
        }
        let is_wanted = (is_chart && scope.charts) || (name.contains(shapes) && scope.diagrams);
        if !is_wanted {
            continue;
        }
        let part = package.part(&name)?.unwrap_or_default();
        match is_chart {
            true => Chart::read(&part)?.emit(emit),
            false => diagram(&part, emit)?,
        }
    }
    emit(Item::Aside(false));
    Ok(())
}

/// Reads the text of a diagram.
fn diagram(part: &[u8], emit: &mut dyn FnMut(Item<'_>)) -> Result<(), Unreadable> {
    let (mut is_text, mut is_placeholder) = (false, false);
    walk(part, |node, _| match node {
        Node::Start(element) => match element.name() {
            "pt" => is_placeholder = false,
            "prSet" => is_placeholder = element.has("phldr", "1") || element.has("phldr", "true"),
            "t" => is_text = true,
            _ => {}
        },
        Node::Text(text) if is_text && !is_placeholder => emit(Item::Text(text)),
        Node::Text(_) => {}
        Node::End("t") => is_text = false,
        Node::End("p" | "br") => emit(Item::Break),
        Node::End(_) => {}
    })
}

/// Texts of a chart.
#[derive(Default)]
struct Chart {
    /// Titles of the chart and of its axes.
    titles: Vec<String>,
    /// Names of the series.
    series: Vec<String>,
    /// Names of the categories of the first series.
    categories: Vec<String>,
    has_legend: bool,
    /// Whether the legend displays categories.
    is_pie: bool,
    has_title: bool,
    /// Depth of an element without displayed text: filtered series, labels of points, numbers.
    skipped: Option<usize>,
    /// The open element whose text is displayed.
    open: Option<Label>,
    is_value: bool,
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Title,
    Series,
    Category,
}

impl Chart {
    fn read(part: &[u8]) -> Result<Self, Unreadable> {
        let mut chart = Self {
            has_title: true,
            ..Self::default()
        };
        walk(part, |node, depth| match node {
            Node::Start(element) if chart.skipped.is_none() => chart.start(&element, depth),
            Node::Text(text) if chart.is_value => chart.text(text),
            Node::Start(_) | Node::Text(_) => {}
            Node::End(name) => chart.end(name, depth),
        })?;
        Ok(chart)
    }

    fn start(&mut self, element: &Element<'_>, depth: usize) {
        match element.name() {
            "extLst" | "dLbl" | "numCache" | "numLit" => self.skipped = Some(depth),
            "title" => self.open = Some(Label::Title),
            "tx" if self.open.is_none() => self.open = Some(Label::Series),
            "cat" if self.categories.is_empty() => self.open = Some(Label::Category),
            "pieChart" | "pie3DChart" | "doughnutChart" | "ofPieChart" => self.is_pie = true,
            "legend" => self.has_legend = true,
            // Some entries are left out.
            "legendEntry" => self.has_legend = false,
            "autoTitleDeleted" => self.has_title = !element.is_on(),
            "t" | "v" => {
                if let Some(label) = self.open {
                    self.is_value = true;
                    self.texts(label).push(String::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, depth: usize) {
        if self.skipped == Some(depth) {
            self.skipped = None;
        }
        let is_end = match self.open {
            Some(Label::Title) => name == "title",
            Some(Label::Series) => name == "tx",
            Some(Label::Category) => name == "cat",
            None => false,
        };
        if is_end {
            self.open = None;
        }
        if matches!(name, "t" | "v") {
            self.is_value = false;
        }
    }

    fn texts(&mut self, label: Label) -> &mut Vec<String> {
        match label {
            Label::Title => &mut self.titles,
            Label::Series => &mut self.series,
            Label::Category => &mut self.categories,
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(label) = self.open
            && let Some(last) = self.texts(label).last_mut()
        {
            last.push_str(text);
        }
    }

    fn emit(&self, emit: &mut dyn FnMut(Item<'_>)) {
        let titles = self.titles.iter().filter(|_| self.has_title);
        let named = match (self.has_legend, self.is_pie) {
            (true, true) => self.categories.as_slice(),
            (true, false) => self.series.as_slice(),
            (false, _) => &[],
        };
        let named = named.iter().filter(|_| named.len() <= MAX_CATEGORIES);
        for text in titles.chain(named) {
            emit(Item::Text(text));
            emit(Item::Break);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::docx;
    use crate::content::test_files::{items, package};
    use domain::format::Format;

    const CHART: &str = "<chartSpace><chart><title><tx><rich><p><r><t>Sales</t></r></p></rich></tx></title>
        <autoTitleDeleted val='0'/><plotArea><barChart><ser><tx><strRef><strCache><pt><v>North</v></pt></strCache></strRef></tx>
        <dLbls><dLbl><tx><rich><p><r><t>label</t></r></p></rich></tx></dLbl></dLbls>
        <cat><strRef><strCache><pt><v>Juist</v></pt></strCache></strRef></cat>
        <val><numRef><numCache><pt><v>17</v></pt></numCache></numRef></val>
        <extLst><ext><ser><tx><v>filtered</v></tx></ser></ext></extLst></ser></barChart></plotArea><legend/></chart></chartSpace>";
    const DATA: &str = "<dataModel><pt><prSet phldr='1'/><t><p><r><t>[Text]</t></r></p></t></pt>
        <pt><t><p><r><t>Ferry</t></r></p></t></pt></dataModel>";
    const DRAWING: &str = "<drawing><p><r><t>Fer</t></r><r><t>ry</t></r></p></drawing>";
    const RELATIONSHIPS: &str = "<Relationships><Relationship Id='a' Target='charts/chart1.xml'/>
        <Relationship Id='b' Target='diagrams/data1.xml'/><Relationship Id='c' Target='charts/chartEx1.xml'/>
        <Relationship Id='d' Target='diagrams/drawing1.xml'/></Relationships>";

    fn read_to(to: Format, (chart, has_drawing): (&str, bool)) -> String {
        let relationships = match has_drawing {
            true => RELATIONSHIPS.to_owned(),
            false => RELATIONSHIPS.replace("drawing1", "other1"),
        };
        let file = package(&[
            ("word/document.xml", b"<document/>"),
            ("word/_rels/document.xml.rels", relationships.as_bytes()),
            ("word/charts/chart1.xml", chart.as_bytes()),
            ("word/diagrams/data1.xml", DATA.as_bytes()),
            ("word/diagrams/drawing1.xml", DRAWING.as_bytes()),
        ]);
        let scope = Scope::of(Format::Docx, to);
        items(&file, |path, take| docx::read(path, scope, take)).unwrap()
    }

    #[test]
    fn displayed_texts_of_charts_and_diagrams_are_read() {
        assert_eq!(read_to(Format::Pdf, (CHART, true)), "~Sales|North|Ferry|");
        assert_eq!(read_to(Format::Pdf, (CHART, false)), "~Sales|North||Ferry|");
        assert_eq!(read_to(Format::Markdown, (CHART, true)), "~Ferry|");
        assert_eq!(read_to(Format::Rtf, (CHART, true)), "~");
        assert_eq!(read_to(Format::Xlsx, (CHART, true)), "");
        let pie = CHART.replace("barChart", "pieChart");
        assert_eq!(read_to(Format::Pdf, (&pie, true)), "~Sales|Juist|Ferry|");
        let bare = CHART
            .replace("<legend/>", "")
            .replace("Deleted val='0'", "Deleted val='1'");
        assert_eq!(read_to(Format::Pdf, (&bare, true)), "~Ferry|");
    }
}
