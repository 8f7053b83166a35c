//! Words that begin captions, and notes about figures and tables.

/// What a word at the beginning of a line names, most often with a number behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Named {
    Figure,
    Table,
    /// A note about a figure or table, which may have no number.
    Note,
    /// Something that a label or an item may also name, such as `Box`.
    Other,
}

/// In lower case.
const WORDS: [(Named, &[&str]); 4] = [
    (Named::Figure, FIGURES),
    (Named::Table, TABLES),
    (Named::Note, NOTES),
    (Named::Other, OTHERS),
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
const OTHERS: &[&str] = &["box", "map", "image", "photo", "exhibit", "plate", "scheme"];

/// Returns what the letters at the beginning of a text name.
pub(in crate::analysis) fn named(text: &str) -> Option<Named> {
    let word = text.split(|end: char| !end.is_alphabetic()).next()?;
    let word = word.to_lowercase();
    let (named, _) = WORDS.iter().find(|(_, words)| words.contains(&&*word))?;
    Some(*named)
}

#[cfg(test)]
mod tests {
    use super::{Named, named};

    #[test]
    fn first_words_name_figures_tables_and_notes() {
        for (text, expected) in [
            ("Fig.3", Some(Named::Figure)),
            ("TABLE", Some(Named::Table)),
            ("جدول", Some(Named::Table)),
            ("Quelle:", Some(Named::Note)),
            ("Box", Some(Named::Other)),
            ("Tables", None),
            ("3", None),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }
}
