//! Builds PDFs of one page from objects.

use std::collections::BTreeMap;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder as _, RgbaImage};
use serde_json::Value;

/// A PDF of one page with font `F` and image `I`, object 7. Object 5 is the structure tree root.
pub(crate) struct Pdf {
    objects: BTreeMap<u32, Vec<u8>>,
}

impl Pdf {
    /// Creates a page with this content.
    pub(crate) fn new(content: &str) -> Self {
        let mut pdf = Self {
            objects: BTreeMap::new(),
        };
        let catalog = "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>>>";
        pdf.object(1, catalog);
        pdf.object(2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
        pdf.object(
            3,
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0/Resources<</Font<</F 9 0 R>>/XObject<</I 7 0 R>>>>>>",
        );
        pdf.object(9, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        pdf.stream(4, "", content.as_bytes());
        pdf
    }

    /// Sets an object.
    pub(crate) fn object(&mut self, number: u32, text: &str) {
        self.objects.insert(number, text.as_bytes().to_vec());
    }

    /// Sets the structure tree root.
    pub(crate) fn root(&mut self, text: &str) {
        self.object(5, text);
    }

    /// Sets a stream.
    pub(crate) fn stream(&mut self, number: u32, members: &str, data: &[u8]) {
        let mut object = format!("<<{members}/Length {}>>stream\n", data.len()).into_bytes();
        object.extend(data);
        object.extend(b"\nendstream");
        self.objects.insert(number, object);
    }

    fn written(&self) -> Vec<u8> {
        let mut file = b"%PDF-1.7\n".to_vec();
        let mut table = Vec::new();
        for (number, object) in &self.objects {
            table.push((*number, file.len()));
            file.extend(format!("{number} 0 obj\n").bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let begin = file.len();
        file.extend(b"xref\n0 1\n0000000000 65535 f \n");
        for (number, place) in table {
            file.extend(format!("{number} 1\n{place:010} 00000 n \n").bytes());
        }
        file.extend(format!("trailer<</Size 1000/Root 1 0 R>>\nstartxref\n{begin}\n%%EOF").bytes());
        file
    }
}

/// The structure that the engine extracts from a PDF.
pub(crate) fn extract(pdf: &Pdf, tags: bool) -> Value {
    structure_into(tempfile::tempdir().unwrap().path(), pdf, tags)
}

/// The first image that the engine extracts.
pub(crate) fn picture(pdf: &Pdf) -> RgbaImage {
    let directory = tempfile::tempdir().unwrap();
    structure_into(directory.path(), pdf, true);
    let file = std::fs::read(directory.path().join("picture-0")).unwrap();
    image::load_from_memory(&file).unwrap().to_rgba8()
}

fn structure_into(directory: &Path, pdf: &Pdf, tags: bool) -> Value {
    let file = directory.join("document.pdf");
    std::fs::write(&file, pdf.written()).unwrap();
    let model = engine::content_json(&library(), &file, directory, tags).unwrap();
    serde_json::from_slice(&model).unwrap()
}

fn library() -> std::path::PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.octavo/lib/libpdfium.so");
    std::env::var_os("PDFIUM_LIBRARY").map_or(installed, Into::into)
}

/// A JPEG file of 16 × 8 pixels.
pub(crate) fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let pixels = [90; 16 * 8 * 3];
    JpegEncoder::new(&mut file)
        .write_image(&pixels, 16, 8, ExtendedColorType::Rgb8)
        .unwrap();
    file
}
