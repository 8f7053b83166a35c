//! What conversions keep of a document and what they lose.

use super::IMAGES;
use crate::format::Format;

/// What some conversions keep and lose.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// The formats read.
    pub from: &'static [Format],
    /// The formats written.
    pub to: &'static [Format],
    /// What is in the result as it was in the source.
    pub keeps: &'static str,
    /// What is not, or not as it was.
    pub loses: &'static str,
}

impl Note {
    /// Whether it is on this conversion, if there is such a one.
    #[must_use]
    pub fn is_on(&self, from: Format, to: Format) -> bool {
        from != to && self.from.contains(&from) && self.to.contains(&to)
    }
}

const TEXTS: &[Format] = &[Format::Docx, Format::Doc, Format::Odt, Format::Rtf];
const SHEETS: &[Format] = &[Format::Xlsx, Format::Xls, Format::Xlsb, Format::Ods];
const SLIDES: &[Format] = &[Format::Pptx, Format::Ppt, Format::Odp];
const READ_TEXTS: &[Format] = &[Format::Docx, Format::Odt, Format::Rtf];
const READ_SHEETS: &[Format] = &[Format::Xlsx, Format::Ods, Format::Csv, Format::Tsv];
const READ_SLIDES: &[Format] = &[Format::Pptx, Format::Odp];
const PICTURES: &[Format] = &[
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
    Format::Heic,
];

/// One for every conversion.
pub const NOTES: &[Note] = &[
    Note {
        from: TEXTS,
        to: &[Format::Pdf],
        keeps: "Pages as LibreOffice lays them out; text that can be searched, with its fonts embedded; tables, pictures, \
                links, headings as bookmarks, tags for readers that speak.",
        loses: "Comments and macros. Fonts that the service does not have are replaced, where it can be by ones of the same \
                widths. Linked pictures and data are not fetched.",
    },
    Note {
        from: SHEETS,
        to: &[Format::Pdf],
        keeps: "Every sheet that is shown, in its print ranges and page sizes; cells as they are shown, charts, pictures.",
        loses: "Formulas (their last results stay), comments, hidden sheets, macros. Linked data is not fetched.",
    },
    Note {
        from: SLIDES,
        to: &[Format::Pdf],
        keeps: "A page a slide that is shown; text that can be searched, pictures, charts, links.",
        loses: "Animations, transitions, sound and film, hidden slides; notes unless asked for.",
    },
    Note {
        from: &[Format::Txt],
        to: &[Format::Pdf],
        keeps: "Every line, in the character set that it is found to be in.",
        loses: "Nothing; long lines are wrapped.",
    },
    Note {
        from: &[Format::Csv, Format::Tsv],
        to: &[Format::Pdf],
        keeps: "Every cell exactly as it is written, leading zeros and long numbers too.",
        loses: "Nothing; wide tables go on over several pages, and one wider than a sheet is refused.",
    },
    Note {
        from: &[
            Format::Docx,
            Format::Doc,
            Format::Odt,
            Format::Rtf,
            Format::Txt,
        ],
        to: TEXTS,
        keeps: "Text, styles, tables, pictures, lists, headers and footers, footnotes, links.",
        loses: "Macros; fields that only the source's program knows; whatever the other format has no word for. Pages may \
                break elsewhere.",
    },
    Note {
        from: TEXTS,
        to: &[Format::Txt],
        keeps: "The words, in reading order, headers, footers and notes with them, lists with their markers, the cells of tables \
                with tabs between them, in UTF-8, and a form feed between pages where the document asks for a new one.",
        loses: "Everything else: styles, pictures, links, comments.",
    },
    Note {
        from: &[
            Format::Xlsx,
            Format::Xls,
            Format::Xlsb,
            Format::Ods,
            Format::Csv,
            Format::Tsv,
        ],
        to: SHEETS,
        keeps: "Sheets, cells with their types and formats, formulas, merged cells, charts. Columns of a table in text \
                become numbers where every number stays as it is written, and are text otherwise.",
        loses: "Macros and external data; functions that only the source's program knows.",
    },
    Note {
        from: SHEETS,
        to: &[Format::Csv, Format::Tsv],
        keeps: "The cells of the sheet that is in front when the document is opened, as they are shown, in UTF-8, separated by commas \
                or by tabs.",
        loses: "Other sheets, formulas, formats, charts and pictures.",
    },
    Note {
        from: &[Format::Csv, Format::Tsv],
        to: &[Format::Csv, Format::Tsv],
        keeps: "Every cell exactly as it is written, in UTF-8, separated by commas or by tabs.",
        loses: "Quotation marks that are not needed, and empty lines at the end.",
    },
    Note {
        from: SLIDES,
        to: SLIDES,
        keeps: "Slides with text, pictures, tables, notes and layout.",
        loses: "Macros; animations and effects that the other format has no word for.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Pdf],
        keeps: "The page as a browser prints it: text that can be searched, styles, links within the file.",
        loses: "Whatever is not in the file itself: of an upload nothing is fetched from the network or from disk; only the \
                HTML at the `url` of a job is a page from the web, loaded with what it shows. Scripts of HTML run for a \
                short time, of an upload without a network; those in Markdown do not run.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Png],
        keeps: "The page as a browser shows it, all of it or what fits its window.",
        loses: "Text and links become pixels. What is not in an upload itself is not fetched; HTML at the `url` of a job is \
                loaded with what it shows.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Png, Format::Jpeg, Format::Webp],
        keeps: "What is seen of each page, annotations and form fields too; several pages come in a ZIP archive.",
        loses: "Text, links and structure. JPEG and WebP are lossy.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Txt],
        keeps: "The words, in reading order, a line a paragraph, tabs between the cells of tables, a form feed between pages, in \
                UTF-8; what form fields hold, too. Pages without text are read by OCR, in the `language` that is given, and \
                told. With `mode: layout` words stand in columns as on the page.",
        loses: "Everything else: looks, pictures, links. Words in pictures on pages with text are read by the operation `ocr`.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Docx, Format::Html, Format::Markdown, Format::Json],
        keeps: "Headings with their levels, paragraphs, lists, tables with cells that span others, pictures, links, notes, \
                headers and footers, in reading order: as the file's tags say where it has any, else as its pages look. Pages \
                without text are read by OCR, in the `language` that is given, and told. DOCX and HTML with `mode: layout`: \
                every line, picture and shape where it stands instead.",
        loses: "Drawings that are not pictures, unless everything keeps its place; fonts themselves, of which DOCX keeps the \
                names; of pages that are read by OCR fonts, colours and pictures other than photographs. Markdown holds no pictures and no colours.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables, in reading order: of XLSX each on a sheet of its own, numbers and dates as such where they cannot be \
                anything else, cells that span others. XLSX has the lines of a page without a table on a sheet, too. Pages without \
                text are read by OCR, and told.",
        loses: "Text beside tables, of CSV all that is in no table, and pictures.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Pptx],
        keeps: "A slide a page: text in boxes where it stands, tables, pictures, links. With `mode: layout` a box a line, and \
                shapes. Pages without text are read by OCR, and told.",
        loses: "Drawings that are not pictures, unless everything keeps its place; fonts themselves, of which the names stay; of \
                pages that are read by OCR fonts, colours and pictures other than photographs.",
    },
    Note {
        from: IMAGES,
        to: &[
            Format::Docx,
            Format::Html,
            Format::Markdown,
            Format::Json,
            Format::Pptx,
        ],
        keeps: "What OCR reads, in the `language` that is given: headings by their size, paragraphs, lists and tables with lines, \
                in reading order, also of pictures that are turned or skewed; a page a page of a TIFF.",
        loses: "Fonts and colours, and of the picture all but photographs on a scanned page; an image that says nothing is kept whole, \
                where the format has pictures. What is not sure is told.",
    },
    Note {
        from: IMAGES,
        to: &[Format::Txt],
        keeps: "The words that OCR reads, in the `language` that is given, in reading order, a line a paragraph, tabs between the \
                cells of tables with lines, a form feed between the pages of a TIFF, in UTF-8. With `mode: layout` words stand \
                in columns as in the picture.",
        loses: "Everything else. What is not sure is told.",
    },
    Note {
        from: IMAGES,
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables that OCR reads, in the `language` that is given; of a page without one XLSX has the lines.",
        loses: "Text beside tables; a picture without a table has no CSV.",
    },
    Note {
        from: READ_TEXTS,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Headings with their levels, paragraphs, quotations, code, lists with their numbers, tables with cells that span \
                others, pictures, links, footnotes, the first header and footer, bold and italic, as the document says. JSON holds a page for what \
                stands between two page breaks.",
        loses: "Pages and columns, numbers of pages (but of RTF), comments, deleted and hidden text, charts and drawings, pictures in EMF and WMF; Markdown \
                holds no pictures and no colours. What changes with tracking is taken as accepted. Nothing that is linked is \
                fetched.",
    },
    Note {
        from: READ_SHEETS,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every sheet that is shown, with its name and a table of its cells as they are shown; merged cells, links, \
                pictures.",
        loses: "Formulas (their last results stay; `formulas_not_calculated` where the file holds none), charts, comments, hidden \
                sheets, rows and columns; Markdown holds no pictures.",
    },
    Note {
        from: &[Format::Xls, Format::Xlsb],
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every visible sheet, with its name and a table of its cells as displayed; merged cells, links; pictures of XLSB.",
        loses: "Formulas (their last results stay; `formulas_not_calculated` where an XLS holds none), charts, comments, hidden \
                sheets, rows and columns, pictures of XLS; Markdown holds no pictures.",
    },
    Note {
        from: READ_SLIDES,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every slide that is shown: its title as a heading, text with lists, tables, pictures, links; notes when asked \
                for.",
        loses: "Where things stand on a slide, drawings, charts, animations, hidden slides, pictures in EMF and WMF; Markdown \
                holds no pictures.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Docx, Format::Html, Format::Markdown, Format::Json],
        keeps: "Headings, paragraphs, quotations, lists, boxes to be ticked, tables with cells that span others, links, code, bold and \
                italic, notes of Markdown; \
                pictures that are in the file itself, but in Markdown.",
        loses: "Style sheets, scripts and what they would do, forms, hidden elements. Nothing is fetched but the file: of HTML at the \
                `url` of a job the HTML alone is, without the pictures that it shows.",
    },
    Note {
        from: &[
            Format::Docx,
            Format::Odt,
            Format::Rtf,
            Format::Html,
            Format::Markdown,
        ],
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables, in reading order: of XLSX each on a sheet of its own, numbers and dates as such where they cannot be \
                anything else, cells that span others.",
        loses: "Text that is in no table, and pictures. A document without a table ends as `output_invalid`.",
    },
    Note {
        from: &[Format::Pptx, Format::Odp, Format::Html, Format::Markdown],
        to: &[Format::Txt],
        keeps: "The words, in reading order, lists with their markers, the cells of tables with tabs between them, in UTF-8, \
                and a form feed between slides.",
        loses: "Everything else: styles, pictures, links; notes of slides unless asked for.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Pdf],
        keeps: "Every pixel: those of a JPEG go in as they are coded, everything else without loss, 16 bits, transparency \
                and colour profile too. A page a page of a TIFF; the size on paper is what the resolution says.",
        loses: "Frames of an animation after the first; metadata. CMYK of a TIFF becomes RGB. No TIFF is read in CIELab, with grey \
                in 32 bits, or of fax rows that are coded by one another.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Pdf],
        keeps: "What is seen, drawn at 300 pixels an inch.",
        loses: "Lines and text become pixels. Nothing that the file refers to elsewhere is fetched, no script runs, \
                and HTML in it (`foreignObject`) is not drawn, which is told.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Png, Format::Tiff],
        keeps: "What is seen, drawn at the file's own size; transparency.",
        loses: "Lines and text become pixels. Nothing that the file refers to elsewhere is fetched, no script runs, \
                and HTML in it (`foreignObject`) is not drawn, which is told.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Webp, Format::Avif],
        keeps: "What is seen, drawn at the file's own size; transparency. In a WebP of no more than 256 colours and 30 megapixels \
                every pixel.",
        loses: "Elsewhere lossy at quality 90. Lines and text become pixels. Nothing that the file refers to elsewhere is \
                fetched, no script runs, and HTML in it (`foreignObject`) is not drawn, which is told.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Jpeg, Format::Bmp],
        keeps: "What is seen, drawn at the file's own size.",
        loses: "Transparency is laid on white; JPEG is lossy at quality 90. Lines and text become pixels. Nothing that the \
                file refers to elsewhere is fetched, no script runs, and HTML in it (`foreignObject`) is not drawn, which is told.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Gif],
        keeps: "What is seen, drawn at the file's own size.",
        loses: "All but 256 colours and all half transparency. Lines and text become pixels. Nothing that the file refers to \
                elsewhere is fetched, no script runs, and HTML in it (`foreignObject`) is not drawn, which is told.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Png],
        keeps: "Every pixel, transparency and colour profile; the orientation is applied.",
        loses: "Frames after the first; metadata. CMYK becomes RGB. No TIFF is read in CIELab, with grey in 32 bits, or of fax \
                rows that are coded by one another.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Tiff],
        keeps: "Every pixel, transparency and colour profile; the orientation is applied.",
        loses: "Frames after the first; metadata. CMYK becomes RGB. A profile of grey with transparency is applied.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Bmp],
        keeps: "Every pixel in 8 bits a sample; the orientation is applied.",
        loses: "Transparency is laid on white, 16-bit samples become 8-bit, colours sRGB, CMYK RGB. Frames or pages after \
                the first; metadata.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Webp],
        keeps: "The sides, transparency, colour profile, and the animation of a GIF; every pixel where no more than 256 colours \
                are there, up to 30 megapixels. The orientation is applied.",
        loses: "Elsewhere lossy at quality 90; metadata. 16-bit samples become 8-bit, CMYK becomes RGB.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Gif],
        keeps: "The sides, and the animation of a WebP; the orientation is applied.",
        loses: "All but 256 colours a frame and all half transparency; colour profile and metadata.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Jpeg],
        keeps: "The sides and the colour profile; the orientation is applied.",
        loses: "Lossy at quality 90. Transparency is laid on white; frames after the first, metadata. \
                16-bit samples become 8-bit.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Avif],
        keeps: "The sides and transparency; the orientation is applied.",
        loses: "Lossy; colours become sRGB in 8 bits. Frames after the first, metadata.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::CONVERSIONS;

    fn pairs() -> impl Iterator<Item = (Format, Format)> {
        CONVERSIONS
            .iter()
            .flat_map(|row| row.from.iter().map(|from| (*from, row.to)))
    }

    #[test]
    fn there_is_one_note_on_each_conversion() {
        for (from, to) in pairs() {
            let about = NOTES.iter().filter(|note| note.is_on(from, to)).count();
            assert_eq!(about, 1, "{from} to {to}");
        }
    }

    #[test]
    fn each_note_is_on_a_conversion_that_there_is() {
        for note in NOTES {
            assert!(
                pairs().any(|(from, to)| note.is_on(from, to)),
                "{}",
                note.keeps
            );
        }
    }
}
