//! Generated test documents: small valid files, and building blocks.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP archive of these entries, deflated, in order.
pub fn archive<N: AsRef<str>, B: AsRef<[u8]>>(
    entries: impl IntoIterator<Item = (N, B)>,
) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        // OpenDocument stores its media type uncompressed.
        let method = match name.as_ref() {
            "mimetype" => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(name.as_ref(), options).unwrap();
        zip.write_all(content.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A DOCX with this body, `relationships` of its main part, and further parts.
pub fn docx(body: &str, relationships: &str, more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let types = format!(
        r#"<?xml version="1.0"?><Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#
    );
    let root = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>"#
    );
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>"#
    );
    let own = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="{PACKAGE}/relationships">{relationships}</Relationships>"#
    );
    let parts = [
        ("[Content_Types].xml", types.into_bytes()),
        ("_rels/.rels", root.into_bytes()),
        ("word/document.xml", document.into_bytes()),
        ("word/_rels/document.xml.rels", own.into_bytes()),
    ];
    archive(parts.into_iter().chain(more.iter().cloned()))
}

/// A DOCX paragraph.
pub fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A PDF of `pages` pages of this width and height in points, page N with the text `page N`.
pub fn pdf(pages: usize, width: u32, height: u32) -> Vec<u8> {
    Pdf::new(pages, width, height).finish()
}

/// A PDF of `pages` pages that all show this gray image, one point a pixel, scaled to `resolution` pixels per inch.
pub fn scanned_pdf(
    pages: usize,
    image: &[u8],
    (width, height): (u32, u32),
    resolution: u32,
) -> Vec<u8> {
    let points = |pixels: u32| pixels * 72 / resolution;
    let (across, down) = (points(width), points(height));
    let mut pdf = Pdf::empty(pages, across, down);
    pdf.stream_with(
        &format!(
            "/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width {width} /Height {height} "
        ),
        image,
    );
    for _ in 0..pages {
        pdf.page("/XObject << /I 3 0 R >>", "");
        pdf.stream(format!("q {across} 0 0 {down} 0 0 cm /I Do Q").as_bytes());
    }
    pdf.finish()
}

/// A one-page PDF with this many incompressible bytes that no page uses.
pub fn heavy_pdf(bytes: usize) -> Vec<u8> {
    let mut pdf = Pdf::new(1, 595, 842);
    pdf.stream(&noise(bytes));
    pdf.finish()
}

/// As [`heavy_pdf`], with the bytes attached to the page, so that page operations keep them.
pub fn heavy_page(bytes: usize) -> Vec<u8> {
    let mut pdf = Pdf::with_entries(1, 595, 842, "/OctavoBallast 6 0 R ");
    pdf.stream(&noise(bytes));
    pdf.finish()
}

/// A 24-bit BMP of random pixels.
pub fn noisy_bitmap(width: u32, height: u32) -> Vec<u8> {
    let row = (width * 3).next_multiple_of(4);
    let mut bytes = bitmap_header(width, height, row * height);
    bytes.extend(noise((row * height) as usize));
    bytes
}

fn bitmap_header(width: u32, height: u32, size: u32) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for number in [
        54 + size,
        0,
        54,
        40,
        width,
        height,
        1 | 24 << 16,
        0,
        size,
        0,
        0,
        0,
        0,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// Pseudo-random bytes (xorshift64*), the same in each call.
pub fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bytes = Vec::with_capacity(count + 8);
    while bytes.len() < count {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        bytes.extend(state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes());
    }
    bytes.truncate(count);
    bytes
}

/// PDF writer.
struct Pdf {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl Pdf {
    fn new(pages: usize, width: u32, height: u32) -> Self {
        Self::with_entries(pages, width, height, "")
    }

    /// Adds entries to the page dictionaries.
    fn with_entries(pages: usize, width: u32, height: u32, entries: &str) -> Self {
        let mut pdf = Self::empty(pages, width, height);
        pdf.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
        // Text outside a page is no content.
        let (x, y) = (72.min(width / 10), 500.min(height / 2));
        for page in 1..=pages {
            pdf.page("/Font << /F 3 0 R >>", entries);
            pdf.stream(format!("BT /F 24 Tf {x} {y} Td (page {page}) Tj ET").as_bytes());
        }
        pdf
    }

    /// Begins a document of pages that have two objects each, after an object that all of them use.
    fn empty(pages: usize, width: u32, height: u32) -> Self {
        let mut pdf = Self {
            bytes: b"%PDF-1.4\n".to_vec(),
            offsets: Vec::new(),
        };
        let kids: String = (0..pages)
            .map(|page| format!("{} 0 R ", 4 + page * 2))
            .collect();
        pdf.object("<< /Type /Catalog /Pages 2 0 R >>");
        pdf.object(&format!(
            "<< /Type /Pages /Count {pages} /MediaBox [0 0 {width} {height}] /Kids [{kids}] >>"
        ));
        pdf
    }

    /// Adds a page, whose content is the next object.
    fn page(&mut self, resources: &str, entries: &str) {
        let content = self.offsets.len() + 2;
        self.object(&format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources << {resources} >> {entries}>>"
        ));
    }

    fn object(&mut self, content: &str) {
        self.begin();
        self.bytes.extend(content.as_bytes());
        self.bytes.extend(b"\nendobj\n");
    }

    fn stream(&mut self, content: &[u8]) {
        self.stream_with("", content);
    }

    fn stream_with(&mut self, entries: &str, content: &[u8]) {
        self.begin();
        let header = format!("<< {entries}/Length {} >>\nstream\n", content.len());
        self.bytes.extend(header.as_bytes());
        self.bytes.extend(content);
        self.bytes.extend(b"\nendstream\nendobj\n");
    }

    fn begin(&mut self) {
        self.offsets.push(self.bytes.len());
        let header = format!("{} 0 obj\n", self.offsets.len());
        self.bytes.extend(header.as_bytes());
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, size) = (self.bytes.len(), self.offsets.len() + 1);
        let mut table = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            writeln!(table, "{offset:010} 00000 n ").unwrap();
        }
        write!(
            table,
            "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
        )
        .unwrap();
        self.bytes.extend(table.as_bytes());
        self.bytes
    }
}
