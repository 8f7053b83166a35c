//! Words that begin captions, and notes about figures and tables.

/// What a word names at the beginning of a caption, most often followed by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum CaptionKind {
    Figure,
    Table,
    /// A note about a figure or table, which may have no number.
    Note,
    /// Another picture, such as a photo, which a label may also name.
    Picture,
    /// A box or a map, which a label or an item may also name.
    Box,
}

/// The words, in lower case.
const WORDS: [(CaptionKind, &[&str]); 5] = [
    (CaptionKind::Figure, FIGURES),
    (CaptionKind::Table, TABLES),
    (CaptionKind::Note, NOTES),
    (CaptionKind::Picture, PICTURES),
    (CaptionKind::Box, BOXES),
];
const FIGURES: &[&str] = &[
    "figure",
    "fig",
    "figura",
    "abbildung",
    "abb",
    "diagram",
    "diagramm",
    "diagrama",
    "chart",
    "graph",
    "graphique",
    "grafik",
    "gráfico",
    "рис",
    "рисунок",
    "図",
    "图",
    "شكل",
    "الشكل",
    "صورة",
    "شکل",
    "تصویر",
    "نمودار",
    "איור",
    "תרשים",
    "תמונה",
];
const TABLES: &[&str] = &[
    "table",
    "tab",
    "tableau",
    "tabelle",
    "tabla",
    "tabela",
    "tabella",
    "tabel",
    "tabell",
    "táblázat",
    "таблица",
    "表",
    "جدول",
    "الجدول",
    "טבלה",
];
const NOTES: &[&str] = &[
    "source",
    "sources",
    "note",
    "notes",
    "quelle",
    "quellen",
    "anmerkung",
    "fuente",
    "fonte",
    "nota",
    "источник",
    "المصدر",
    "ملاحظة",
    "منبع",
    "מקור",
    "הערה",
];
const PICTURES: &[&str] = &["image", "photo", "exhibit", "plate", "scheme"];
const BOXES: &[&str] = &["box", "map"];

/// Returns what the letters at the beginning of a text name.
pub(in crate::analysis) fn caption_kind(text: &str) -> Option<CaptionKind> {
    let word = text.split(|end: char| !end.is_alphabetic()).next()?;
    let word = word.to_lowercase();
    let (kind, _) = WORDS.iter().find(|(_, words)| words.contains(&&*word))?;
    Some(*kind)
}

#[cfg(test)]
mod tests {
    use super::{CaptionKind, caption_kind};

    #[test]
    fn first_words_name_figures_tables_and_notes() {
        for (text, expected) in [
            ("Fig.3", Some(CaptionKind::Figure)),
            ("TABLE", Some(CaptionKind::Table)),
            ("جدول", Some(CaptionKind::Table)),
            ("Quelle:", Some(CaptionKind::Note)),
            ("Photo", Some(CaptionKind::Picture)),
            ("Box", Some(CaptionKind::Box)),
            ("Tables", None),
            ("3", None),
        ] {
            assert_eq!(caption_kind(text), expected, "{text}");
        }
    }
}
