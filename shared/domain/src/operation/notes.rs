//! Notes for users: what each conversion keeps of a document and what it drops.

use super::IMAGES;
use crate::format::Format;

/// What a group of conversions keeps and drops.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Source formats.
    pub from: &'static [Format],
    /// Target formats.
    pub to: &'static [Format],
    /// What the result contains.
    pub keeps: &'static str,
    /// What is dropped or changed.
    pub loses: &'static str,
}

impl Note {
    /// Whether the note is about the conversion from `from` to `to`.
    #[must_use]
    pub fn applies_to(&self, from: Format, to: Format) -> bool {
        from != to && self.from.contains(&from) && self.to.contains(&to)
    }
}

const TEXTS: &[Format] = &[Format::Docx, Format::Doc, Format::Odt, Format::Rtf];
const SHEETS: &[Format] = &[Format::Xlsx, Format::Xls, Format::Xlsb, Format::Ods];
const SLIDES: &[Format] = &[Format::Pptx, Format::Ppt, Format::Odp];
const PARSED_SHEETS: &[Format] = &[Format::Xlsx, Format::Ods, Format::Csv, Format::Tsv];
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

/// The notes. Each conversion has exactly one.
pub const NOTES: &[Note] = &[
    Note {
        from: TEXTS,
        to: &[Format::Pdf],
        keeps: "Page layout as rendered by LibreOffice; searchable text with embedded fonts; tables, images, \
                links; headings as bookmarks; structure tags for assistive technology.",
        loses: "Comments (with the warning `comments_left_out`, except of DOC before Word 97) and macros. Fonts not available on the server are substituted, if possible by fonts \
                with the same widths. Linked images and data are not fetched. Tracked changes are printed as changes: \
                deletions struck through, insertions marked.",
    },
    Note {
        from: SHEETS,
        to: &[Format::Pdf],
        keeps: "Every visible sheet with its print ranges and page sizes; cells as displayed, charts, images. Columns \
                are widened, texts wrapped and rows raised where cells would be cut, except in protected sheets and \
                with `fitToWidth` or `singlePageSheets`.",
        loses: "Formulas (their last results stay, but those of the time and of random numbers are recalculated), macros; comments, with the warning `comments_left_out`; hidden sheets, \
                with the warning `hidden_left_out`. Linked data is not fetched. Dates before 1 March 1900 in XLSX, XLS and XLSB \
                are a day earlier than in Excel.",
    },
    Note {
        from: SLIDES,
        to: &[Format::Pdf],
        keeps: "One page per visible slide; searchable text, images, charts, links.",
        loses: "Animations, transitions, audio and video; speaker notes unless requested; hidden slides and \
                shapes, with the warning `hidden_left_out`; comments, with the warning `comments_left_out` (except of PPT).",
    },
    Note {
        from: &[Format::Txt],
        to: &[Format::Pdf],
        keeps: "Every line, in the detected character set.",
        loses: "Nothing; long lines are wrapped.",
    },
    Note {
        from: &[Format::Csv, Format::Tsv],
        to: &[Format::Pdf],
        keeps: "Every cell as written, including leading zeros and long numbers, in columns sized to their \
                content. A table that is too wide is scaled down to at least 60 % (text of 6 pt), then printed in \
                landscape, then split by columns with its first column on every page.",
        loses: "The end of a cell that is higher than a page, with the warning `content_missing`. A table wider than \
                the largest sheet is rejected.",
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
        keeps: "Text, styles, tables, images, lists, headers and footers, footnotes, links.",
        loses: "Macros, application-specific fields, and features that the target format does not have. Page \
                breaks may move.",
    },
    Note {
        from: TEXTS,
        to: &[Format::Txt],
        keeps: "The text in reading order, with headers, footers and notes, list markers, tabs between table \
                cells, and a form feed at explicit page breaks; UTF-8.",
        loses: "Everything else: styles, images, links; comments, with the warning `comments_left_out`.",
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
        keeps: "Sheets, cells with types and formats, formulas, merged cells, charts. A column of a text table \
                becomes numeric if every number keeps its notation; otherwise it stays text.",
        loses: "Macros and external data; application-specific functions.",
    },
    Note {
        from: SHEETS,
        to: &[Format::Csv, Format::Tsv],
        keeps: "The cells of the active sheet as displayed, in UTF-8, separated by commas or tabs; also those of hidden rows \
                and columns.",
        loses: "Other sheets and charts, with the warnings `sheets_left_out`, `hidden_left_out` and `chart_left_out`; comments, headers and \
                footers, with `comments_left_out` and `headers_left_out`; formulas, formats, images. Dates before \
                1 March 1900 in XLSX, XLS and XLSB are a day earlier than in Excel.",
    },
    Note {
        from: &[Format::Csv, Format::Tsv],
        to: &[Format::Csv, Format::Tsv],
        keeps: "Every cell as written, in UTF-8, separated by commas or tabs.",
        loses: "Redundant quotation marks, and trailing empty lines.",
    },
    Note {
        from: SLIDES,
        to: SLIDES,
        keeps: "Slides with text, images, tables, speaker notes and layout.",
        loses: "Macros; animations and effects that the target format does not have.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Pdf],
        keeps: "The page as printed by a browser: searchable text, styles, links within the file, relative links. \
                Content that is too wide is wrapped, then scaled down to at least 60 %, then printed in landscape \
                (unless the request or the page sets the orientation); a table that is still too wide is split by \
                columns and repeats its first column. Other content is scaled further, with the warning \
                `content_shrunk`. Closed `details` are opened; boxes that scroll and embedded documents \
                (`srcdoc`) are printed whole.",
        loses: "Words that a box cuts off on the screen as well, with the warning `hidden_left_out`. External \
                resources of an upload: nothing is fetched from the network or from disk. HTML at the `url` of a \
                job is loaded with its resources. Scripts of HTML run for a short time, without network access \
                for an upload; scripts in Markdown do not run. The front matter of Markdown.",
    },
    Note {
        from: &[Format::Epub],
        to: &[Format::Pdf],
        keeps: "The chapters in the order of the spine, each on a new page, as printed by a browser with a style sheet of its own: \
                searchable text, tables, images, links within the book.",
        loses: "Style sheets, fonts and scripts of the book; remote resources, which are not fetched; audio and video; the table \
                of contents of the reading system, unless it is a chapter. A book with digital rights management (DRM) is \
                rejected with `permission_denied`.",
    },
    Note {
        from: &[Format::Epub],
        to: &[
            Format::Docx,
            Format::Html,
            Format::Markdown,
            Format::Json,
            Format::Txt,
        ],
        keeps: "The chapters in the order of the spine: headings, paragraphs, quotations, lists, tables with merged cells, links, \
                code, bold and italic; embedded images (in Markdown with `images: embed` or `files`, none in text).",
        loses: "Style sheets, fonts and scripts of the book; remote resources, which are not fetched; audio and video; SVG \
                drawings (with the warning `picture_missing`); the table of contents of the reading system, unless it is a \
                chapter; in Markdown and text links within the book. A book with digital rights management (DRM) is rejected \
                with `permission_denied`.",
    },
    Note {
        from: &[Format::Eml, Format::Msg],
        to: &[Format::Pdf],
        keeps: "Sender, recipients, date and subject; the body as printed by a browser, of HTML with its inline styles: searchable \
                text, tables, links to the web; attached images where the body shows them; the list of the attachments with \
                name, type and size.",
        loses: "The content of attachments, also of attached mails; other fields of the header; style sheets and scripts; remote \
                images, which are not fetched (`external_link_blocked`); the formatting of rich text that is not HTML. An \
                encrypted mail (S/MIME, OpenPGP, rights management) and one whose content is in an opaque signature are \
                rejected with `permission_denied`. Signatures are not checked.",
    },
    Note {
        from: &[Format::Eml, Format::Msg],
        to: &[
            Format::Docx,
            Format::Html,
            Format::Markdown,
            Format::Json,
            Format::Txt,
        ],
        keeps: "Sender, recipients, date and subject; the body: headings, paragraphs, lists, tables, links to the web, code, bold \
                and italic; attached images where the body shows them (in Markdown with `images: embed` or `files`, none in \
                text); the list of the attachments with name, type and size.",
        loses: "The content of attachments, also of attached mails; other fields of the header; the layout of the body; remote \
                images, which are not fetched (`external_link_blocked`). An encrypted mail (S/MIME, OpenPGP, rights \
                management) and one whose content is in an opaque signature are rejected with `permission_denied`. \
                Signatures are not checked.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Png],
        keeps: "A screenshot of the full page or of the viewport.",
        loses: "Text and links become pixels. External resources of an upload are not fetched; HTML at the `url` \
                of a job is loaded with its resources.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Png, Format::Jpeg, Format::Webp],
        keeps: "The visible content of each page, including annotations and form fields; several pages are \
                returned as a ZIP archive.",
        loses: "Text, links and structure. JPEG and WebP are lossy. A page that is too large at the `resolution` is \
                scaled down, with a warning.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Txt],
        keeps: "The text in reading order, one line per paragraph, with tabs between table cells and a form feed \
                between pages, in UTF-8, including the values of form fields. Pages without text, outlined text and \
                pictures of text are recognized by OCR in the given `language`, with a warning. With `mode: \
                layout`, the columns of the page are kept by spaces.",
        loses: "Everything else: formatting, links, images and a few words in them; drawings, with the warning \
                `drawings_left_out`, and outlined text and text of scans that OCR does not recognize, with \
                `text_not_recognized`.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Docx, Format::Html, Format::Markdown, Format::Json],
        keeps: "Headings with levels, paragraphs, lists, tables with merged cells, images, charts and other \
                figures as images, links, notes, headers and footers, in reading order: from the structure tags of the PDF if present, else from layout \
                analysis. Pages without text, outlined text and pictures of text are recognized by OCR in the \
                given `language`, with a warning. DOCX and HTML with `mode: layout`: every line, image and shape \
                at its position instead.",
        loses: "Other vector graphics, some with the warning `drawings_left_out` (DOCX and HTML keep them with `mode: layout`), and outlined text and \
                text of scans that OCR does not recognize, with `text_not_recognized`; embedded fonts (DOCX keeps their names); fonts, \
                colors and images other than photographs of pages recognized by OCR. Markdown contains images only \
                with `images: embed` or `files` and no colors.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables in reading order, with merged cells; in XLSX, one sheet per table, with numbers and \
                dates where they are unambiguous, the link of a cell, and the lines of pages without a table on a sheet. Pages \
                without text are recognized by OCR, with a warning.",
        loses: "Text outside tables (in XLSX, on pages with a table), with the warning `text_outside_tables`; \
                drawings, with the warning `drawings_left_out`; images; links in CSV, and in XLSX those of a \
                cell with several.",
    },
    Note {
        from: &[Format::Pdf],
        to: &[Format::Pptx],
        keeps: "One slide per page: text in positioned boxes, tables, images, figures as images, links. With `mode: layout`, one \
                box per line, and shapes. Pages without text are recognized by OCR, with a warning.",
        loses: "Other vector graphics, some with the warning `drawings_left_out`, unless `mode` is `layout`; embedded fonts \
                (their names are kept); fonts, colors and images other than photographs of pages recognized by OCR.",
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
        keeps: "Text recognized by OCR in the given `language`: headings by font size, paragraphs, lists and \
                ruled tables, in reading order, also of rotated or skewed images; one page per page of a TIFF.",
        loses: "Fonts and colors, and all of the image but photographs on a scanned page. An image without text \
                is kept as a whole if the format has images and `images` allows; else the job fails. Low OCR confidence and text that OCR does not recognize are reported as warnings.",
    },
    Note {
        from: IMAGES,
        to: &[Format::Txt],
        keeps: "The text recognized by OCR in the given `language`, in reading order, one line per paragraph, \
                with tabs between the cells of ruled tables and a form feed between the pages of a TIFF, in \
                UTF-8. With `mode: layout`, the columns of the image are kept by spaces.",
        loses: "Everything else. Low OCR confidence and text that OCR does not recognize are reported as warnings. \
                Images in which OCR recognizes no text at all fail.",
    },
    Note {
        from: IMAGES,
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables recognized by OCR in the given `language`; XLSX also contains the lines of pages \
                without a table.",
        loses: "Text outside tables, with the warning `text_outside_tables`. An image without a table cannot be \
                converted to CSV.",
    },
    Note {
        from: TEXTS,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Headings with levels, paragraphs, quotations, code, lists with numbers, tables with merged \
                cells, images, links, footnotes, each different header and footer, bold and italic, from \
                the structure of the document. JSON contains one page per explicit page break.",
        loses: "Page layout and columns, page numbers (except of RTF), comments (with the warning `comments_left_out`, except of DOC before Word 97), deleted \
                and hidden text, charts and drawings, EMF and WMF images; links of pictures or shapes, and those to a file, a \
                network share, a place that is not in the result, or a scheme that is not allowed (with `links_left_out`); \
                Markdown contains images only with `images: embed` or `files`, no colors, and no links within the document. \
                Tracked changes are accepted. Linked resources are not fetched.",
    },
    Note {
        from: PARSED_SHEETS,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every visible sheet, with its name and a table of its cells as displayed; merged cells, links, \
                images.",
        loses: "Formulas (their last results stay; warning `formulas_not_calculated` if the file contains none), charts, \
                comments (with the warning `comments_left_out`), headers and footers (`headers_left_out`, but not for page \
                numbers and names of sheets and files), hidden sheets, rows and columns; links of pictures or shapes, with a \
                calculated target, or to a file, a network share, a place that is not in the result, or a scheme that is not \
                allowed (`links_left_out`); Markdown contains images only with `images: embed` or `files`, and no links to \
                sheets.",
    },
    Note {
        from: &[Format::Xls, Format::Xlsb],
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every visible sheet, with its name and a table of its cells as displayed; merged cells, links; \
                images of XLSB.",
        loses: "Formulas (their last results stay; warning `formulas_not_calculated` if an XLS contains none), charts, comments \
                (with the warning `comments_left_out`), headers and footers (`headers_left_out`, but not for page numbers and \
                names of sheets and files), hidden sheets, rows and columns, images of XLS; links by formulas; links of pictures \
                or shapes, and those to a file, a network share, a place that is not in the result, or a scheme that is not \
                allowed (`links_left_out`); Markdown contains images only with `images: embed` or `files`, and no links to \
                sheets.",
    },
    Note {
        from: SLIDES,
        to: &[Format::Markdown, Format::Html, Format::Json],
        keeps: "Every visible slide: its title as a heading, text with lists, tables, images, links; speaker \
                notes if requested.",
        loses: "Positions, drawings, charts, animations, hidden slides and shapes, comments (with the warning \
                `comments_left_out`, except of PPT), links of PPT that LibreOffice does not read, texts of masters and layouts (`master_text_left_out`), EMF and WMF images; links of \
                pictures or shapes, and those to a file, a network share, a place that is not in the result, or a scheme that is \
                not allowed (`links_left_out`); Markdown contains images only with `images: embed` or `files`, and no links to \
                slides.",
    },
    Note {
        from: &[Format::Html, Format::Markdown],
        to: &[Format::Docx, Format::Html, Format::Markdown, Format::Json],
        keeps: "Headings, paragraphs, quotations, lists, check boxes, tables with merged cells, links, code, \
                bold and italic, footnotes of Markdown, values of form fields, words of inline SVG; embedded images (in Markdown with `images: embed` or `files`).",
        loses: "Style sheets, scripts and their effects, inline SVG (with the warning `picture_missing`), hidden elements, the \
                front matter of Markdown; links of images, and those to a file, a path from the root, a network share, or a \
                scheme that is not allowed (`links_left_out`), in Markdown also those within the page; links to places that the \
                page does not have are not counted. External resources are not fetched: of HTML at the `url` of a job, only the \
                HTML is loaded, without its images.",
    },
    Note {
        from: &[
            Format::Docx,
            Format::Doc,
            Format::Odt,
            Format::Rtf,
            Format::Html,
            Format::Markdown,
        ],
        to: &[Format::Xlsx, Format::Csv],
        keeps: "The tables in reading order, with merged cells; in XLSX, one sheet per table, with numbers and \
                dates where they are unambiguous, and the link of a cell.",
        loses: "Text outside tables, with the warning `text_outside_tables`; images; links in CSV, and in XLSX \
                those of a cell with several. A document without a table fails with `output_invalid`.",
    },
    Note {
        from: &[
            Format::Pptx,
            Format::Ppt,
            Format::Odp,
            Format::Html,
            Format::Markdown,
        ],
        to: &[Format::Txt],
        keeps: "The text in reading order, with list markers, tabs between table cells, and a form feed between \
                slides; UTF-8.",
        loses: "Everything else: styles, images, links; speaker notes unless requested; comments (except of PPT) and texts of slide \
                masters, with the warnings `comments_left_out` and `master_text_left_out`.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Pdf],
        keeps: "Every pixel: JPEG data is embedded unchanged, other images losslessly, including 16-bit samples, \
                transparency and color profile. One page per page of a TIFF; the paper size follows from the \
                resolution.",
        loses: "Animation frames after the first; metadata. CMYK, CIELAB and palettes of TIFF become RGB, signed \
                and floating-point grayscale is scaled to the range of its values. Not supported: TIFF with tiles in \
                separate planes, or compressed by old JPEG, JPEG 2000, Zstandard or LERC.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Pdf],
        keeps: "Vector graphics, and text as searchable text in embedded fonts. The page has the size of the file at \
                96 pixels per inch.",
        loses: "Filters and repeated radial gradients become pixels, at 300 per inch; `text_not_searchable` counts the \
                words of such text. A drawing that would look different as vector graphics becomes a picture, with \
                the warning `drawing_rasterized`. Links and animations; `direction` is ignored. External \
                resources are not fetched, scripts do not run, and embedded HTML (`foreignObject`) is not rendered, \
                with a warning.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Png, Format::Tiff],
        keeps: "The appearance, rendered at the size of the file; transparency.",
        loses: "Vector graphics and text become pixels. External resources are not fetched, scripts do not run, \
                and embedded HTML (`foreignObject`) is not rendered, with a warning.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Webp, Format::Avif],
        keeps: "The appearance, rendered at the size of the file; transparency. WebP is lossless up to 256 \
                colors and 30 megapixels.",
        loses: "Otherwise lossy at quality 90. Vector graphics and text become pixels. External resources are \
                not fetched, scripts do not run, and embedded HTML (`foreignObject`) is not rendered, with a \
                warning.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Jpeg, Format::Bmp],
        keeps: "The appearance, rendered at the size of the file.",
        loses: "Transparency is flattened on white; JPEG is lossy at quality 90. Vector graphics and text become \
                pixels. External resources are not fetched, scripts do not run, and embedded HTML \
                (`foreignObject`) is not rendered, with a warning.",
    },
    Note {
        from: &[Format::Svg],
        to: &[Format::Gif],
        keeps: "The appearance, rendered at the size of the file.",
        loses: "Colors beyond 256, and partial transparency. Vector graphics and text become pixels. External \
                resources are not fetched, scripts do not run, and embedded HTML (`foreignObject`) is not \
                rendered, with a warning.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Png],
        keeps: "Every pixel, transparency and color profile; the EXIF orientation is applied.",
        loses: "Frames after the first; metadata. CMYK, CIELAB and palettes of TIFF become RGB, signed and \
                floating-point grayscale is scaled to the range of its values. Not supported: TIFF with tiles in \
                separate planes, or compressed by old JPEG, JPEG 2000, Zstandard or LERC.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Tiff],
        keeps: "Every pixel, transparency and color profile; the EXIF orientation is applied.",
        loses: "Frames after the first; metadata. CMYK becomes RGB. The profile of a grayscale image with \
                transparency is applied.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Bmp],
        keeps: "Every pixel with 8 bits per sample; the EXIF orientation is applied.",
        loses: "Transparency is flattened on white, 16-bit samples become 8-bit, colors become sRGB, CMYK \
                becomes RGB. Frames or pages after the first; metadata.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Webp],
        keeps: "Dimensions, transparency, color profile, and the animation of a GIF; lossless up to 256 colors \
                and 30 megapixels. The EXIF orientation is applied.",
        loses: "Otherwise lossy at quality 90; metadata. 16-bit samples become 8-bit, CMYK becomes RGB.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Gif],
        keeps: "Dimensions, and the animation of a WebP; the EXIF orientation is applied.",
        loses: "Colors beyond 256 per frame, and partial transparency; color profile and metadata.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Jpeg],
        keeps: "Dimensions and color profile; the EXIF orientation is applied.",
        loses: "Lossy at quality 90. Transparency is flattened on white; frames after the first, metadata. \
                16-bit samples become 8-bit.",
    },
    Note {
        from: PICTURES,
        to: &[Format::Avif],
        keeps: "Dimensions and transparency; the EXIF orientation is applied.",
        loses: "Lossy; colors become sRGB with 8 bits per sample. Frames after the first, metadata.",
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
    fn each_conversion_has_one_note() {
        for (from, to) in pairs() {
            let about = NOTES
                .iter()
                .filter(|note| note.applies_to(from, to))
                .count();
            assert_eq!(about, 1, "{from} to {to}");
        }
    }

    #[test]
    fn each_note_applies_to_a_conversion() {
        for note in NOTES {
            assert!(
                pairs().any(|(from, to)| note.applies_to(from, to)),
                "{}",
                note.keeps
            );
        }
    }
}
