//! Operation `merge` on PDFs and images.

mod large;
mod tags;

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{MergeOptions, Operation};
use engine::EngineError;
use tempfile::TempDir;

use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness, images, poppler, qpdf};

/// Files in their own directory.
struct Files {
    directory: TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    fn new(contents: &[Vec<u8>]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let paths = contents.iter().enumerate().map(|(index, content)| {
            let path = directory.path().join(format!("{index}.pdf"));
            std::fs::write(&path, content).unwrap();
            path
        });
        let paths = paths.collect();
        Self { directory, paths }
    }

    fn merge(&self) -> Result<harness::Converted, EngineError> {
        assert!(self.directory.path().exists());
        let paths: Vec<&Path> = self.paths.iter().map(PathBuf::as_path).collect();
        merge(&paths, harness::GENEROUS)
    }
}

fn merge(paths: &[&Path], limits: JobLimits) -> Result<harness::Converted, EngineError> {
    let all: Vec<_> = paths.iter().map(|path| (*path, Format::Pdf)).collect();
    merge_all(&all, limits)
}

fn merge_all(
    all: &[(&Path, Format)],
    limits: JobLimits,
) -> Result<harness::Converted, EngineError> {
    let ((first, format), others) = all.split_first().unwrap();
    harness::run_with_attachments((first, *format), others, step(others.len()), limits)
}

fn step(others: usize) -> Operation {
    let key = |number| domain::id::SourceKey::mint(domain::timestamp::Timestamp(1), number as u128);
    Operation::Merge(MergeOptions {
        source_keys: (0..others).map(key).collect(),
    })
}

#[test]
fn pages_are_concatenated_in_order() {
    let files = Files::new(&[numbered("one", 2), numbered("two", 1), numbered("three", 3)]);
    let result = files.merge().unwrap();
    let expected = ["one 1", "one 2", "two 1", "three 1", "three 2", "three 3"];
    assert_eq!(poppler::texts(result.path()), expected);
    assert_eq!(result.artifact.pages, 6);
    qpdf::check(result.path(), "");
    assert_eq!(
        files.merge().unwrap().artifact.sha256,
        result.artifact.sha256
    );
}

#[test]
fn twenty_real_documents_are_merged() {
    let entries = corpus::good(&["pdf-text", "pdf-forms"], 16);
    let paths: Vec<PathBuf> = entries
        .iter()
        .map(|(entry, _)| entry.path())
        // Protected documents forbid assembly.
        .filter(|path| poppler::field(path, "Encrypted") == "no")
        .take(20)
        .collect();
    assert_eq!(paths.len(), 20);
    let pages: u32 = paths.iter().map(|path| poppler::pages(path)).sum();
    let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let result = merge(&borrowed, harness::GENEROUS).unwrap();
    assert_eq!(poppler::pages(result.path()), pages);
}

#[test]
fn errors_name_the_invalid_document() {
    let original = numbered("a", 1);
    let locked = corpus::file("pdf-encrypted/aes-128.pdf");
    for (third, code) in [
        (b"%PDF-1.7 noise".to_vec(), JobErrorCode::InputCorrupt),
        (Vec::new(), JobErrorCode::InputEmpty),
        (
            std::fs::read(locked).unwrap(),
            JobErrorCode::PasswordRequired,
        ),
        (b"PK\x03\x04 no PDF".to_vec(), JobErrorCode::ContentMismatch),
    ] {
        let files = Files::new(&[original.clone(), original.clone(), third]);
        match files.merge() {
            Err(EngineError::Document(error)) => {
                assert_eq!(error.code, code);
                assert!(
                    error.message.starts_with("Document 3 of the merge: "),
                    "{error:?}"
                );
            }
            other => panic!("{code:?}: {:?}", other.map(|result| result.artifact)),
        }
    }
}

#[test]
fn page_limit_applies_to_the_sum() {
    let files = Files::new(&[numbered("a", 2), numbered("b", 2)]);
    let paths: Vec<&Path> = files.paths.iter().map(PathBuf::as_path).collect();
    let within = |pages| {
        let limits = JobLimits {
            pages,
            ..harness::GENEROUS
        };
        harness::code(merge(&paths, limits)).err()
    };
    assert_eq!(within(4), None);
    assert_eq!(within(3), Some(JobErrorCode::TooManyPages));
}

#[test]
fn missing_attachments_are_a_service_error() {
    let files = Files::new(&[numbered("a", 1)]);
    let rejected = harness::run(&files.paths[0], Format::Pdf, &[step(1)]);
    assert!(matches!(rejected, Err(EngineError::Service(_))));
}

/// Three pages with a nested outline of two entries and a link to a named destination.
pub(crate) fn outlined(word: &str, place: u32) -> Vec<u8> {
    let page = |annotations: &str| {
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]{annotations}>>")
    };
    let target = 2 + place;
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Names<</Dests<</Names[(place)10 0 R]>>>>>>"
            .to_owned(),
        "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>".to_owned(),
        page("/Annots[9 0 R]"),
        page(""),
        page(""),
        "<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 2>>".to_owned(),
        format!("<</Title({word})/Parent 6 0 R/Dest[3 0 R/Fit]/First 8 0 R/Last 8 0 R/Count 1>>"),
        format!("<</Title({word} below)/Parent 7 0 R/A<</S/GoTo/D(place)>>>>"),
        "<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/A<</S/GoTo/D(place)>>>>".to_owned(),
        // A destination may be in a dictionary, which qpdf does not resolve.
        match word {
            "one" => format!("[{target} 0 R/Fit]"),
            _ => format!("<</D[{target} 0 R/Fit]>>"),
        },
    ])
}

#[test]
fn outlines_are_merged_with_their_destinations() {
    let files = Files::new(&[
        outlined("one", 3),
        outlined("two", 2),
        numbered("plain", 1),
        outlined("three", 1),
    ]);
    let result = files.merge().unwrap();
    qpdf::check(result.path(), "");
    let expected = [
        ("one", 1),
        ("one below", 3),
        ("two", 4),
        ("two below", 5),
        ("three", 8),
        ("three below", 8),
    ];
    let expected = expected.map(|(title, page)| (title.to_owned(), Some(page)));
    assert_eq!(qpdf::outline(result.path()), expected);
    assert_eq!(
        files.merge().unwrap().artifact.sha256,
        result.artifact.sha256
    );
}

#[test]
fn equal_named_destinations_of_two_documents_do_not_collide() {
    let files = Files::new(&[outlined("one", 3), outlined("two", 2)]);
    let result = files.merge().unwrap();
    let document = lopdf::Document::load(result.path()).unwrap();
    let pages: Vec<_> = document.get_pages().into_values().collect();
    let link = document.get_page_annotations(pages[3]).unwrap()[0];
    let place = link.get(b"Dest").unwrap().as_array().unwrap();
    assert_eq!(place[0].as_reference().unwrap(), pages[4]);
}

#[test]
fn outline_is_kept_if_the_first_document_has_none() {
    let files = Files::new(&[numbered("plain", 2), outlined("two", 2)]);
    let result = files.merge().unwrap();
    let expected = [("two", 3), ("two below", 4)];
    let expected = expected.map(|(title, page)| (title.to_owned(), Some(page)));
    assert_eq!(qpdf::outline(result.path()), expected);
    // The destination that the name resolves to is also kept.
    let document = lopdf::Document::load(result.path()).unwrap();
    let names = document
        .catalog()
        .unwrap()
        .get_deref(b"Names", &document)
        .unwrap();
    let tree = names
        .as_dict()
        .unwrap()
        .get_deref(b"Dests", &document)
        .unwrap();
    let names = tree
        .as_dict()
        .unwrap()
        .get(b"Names")
        .unwrap()
        .as_array()
        .unwrap();
    assert_eq!(names[0].as_str().unwrap(), b"place");
}

#[test]
fn forms_of_later_documents_stay_fillable() {
    let first = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(first.path(), numbered("plain", 1)).unwrap();
    let form = corpus::file("pdf-forms/field-types.pdf");
    let fields = |path: &Path| {
        let fields = qpdf::json(path, "acroform");
        fields["fields"].as_array().unwrap().len()
    };
    let result = merge(&[first.path(), &form], harness::GENEROUS).unwrap();
    assert_eq!(fields(result.path()), fields(&form));
    let twice = merge(&[&form, &form], harness::GENEROUS).unwrap();
    assert_eq!(fields(twice.path()), 2 * fields(&form));
}

/// Two pages, each with a field of the same name, and one with another name.
fn fields_of_one_name() -> Vec<u8> {
    let field = |name: &str, page: u32| {
        format!(
            "<</Type/Annot/Subtype/Widget/F 4/P {page} 0 R/FT/Tx/T({name})/V(typed)/Rect[9 9 90 30]/DA(/Helv 9 Tf 0 g)>>"
        )
    };
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R 7 0 R]/NeedAppearances true>>>>"
            .to_owned(),
        "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 200 200]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/Annots[6 0 R 7 0 R]>>".to_owned(),
        field("name", 3),
        field("name", 4),
        field("other", 4),
    ])
}

#[test]
fn same_named_fields_of_one_document_stay_linked() {
    let form = fields_of_one_name();
    let plain = numbered("plain", 1);
    for (documents, expected) in [
        (vec![&plain, &form], vec!["name", "name", "other"]),
        (
            vec![&form, &form, &form],
            vec![
                "name", "name", "other", "name+1", "name+1", "other+1", "name+3", "name+3",
                "other+2",
            ],
        ),
    ] {
        let documents: Vec<Vec<u8>> = documents.into_iter().cloned().collect();
        let result = Files::new(&documents).merge().unwrap();
        qpdf::check(result.path(), "");
        let form = qpdf::json(result.path(), "acroform");
        let fields = form["fields"].as_array().unwrap().iter();
        let names: Vec<&str> = fields
            .map(|field| field["fullname"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected);
    }
}

/// The image streams of a PDF, extracted by poppler.
fn pictures(pdf: &Path) -> Vec<Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let taken = std::process::Command::new("pdfimages")
        .args([Path::new("-all"), pdf, &directory.path().join("p")])
        .status();
    assert!(taken.unwrap().success());
    let files = std::fs::read_dir(directory.path()).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn images_and_documents_are_merged_without_reencoding_jpeg() {
    let [jpeg, turned, png, tiff] = [
        "jpeg/flower.jpg",
        "jpeg/Landscape_6.jpg",
        "png/basn6a16.png",
        "tiff/g4-multi.tiff",
    ]
    .map(|name| corpus::file(&format!("images/{name}")));
    let files = Files::new(&[outlined("one", 3)]);
    let all = [
        (jpeg.as_path(), Format::Jpeg),
        (files.paths[0].as_path(), Format::Pdf),
        (turned.as_path(), Format::Jpeg),
        (png.as_path(), Format::Png),
        (tiff.as_path(), Format::Tiff),
    ];
    let result = merge_all(&all, harness::GENEROUS).unwrap();
    qpdf::check(result.path(), "");
    // One page each, except the document and the TIFF with three.
    assert_eq!(result.artifact.pages, 9);
    assert_eq!(poppler::pages(result.path()), 9);
    assert_eq!(result.warnings(), Vec::<&str>::new());
    let found = pictures(result.path());
    for path in [&jpeg, &turned] {
        let source = std::fs::read(path).unwrap();
        let scans = images::scans(&source);
        let mut parts = found.iter().flat_map(|image| image.windows(scans.len()));
        assert!(parts.any(|part| part == scans), "{path:?}");
    }
    let expected = [("one", 2), ("one below", 4)];
    let expected = expected.map(|(title, page)| (title.to_owned(), Some(page)));
    assert_eq!(qpdf::outline(result.path()), expected);
    let again = merge_all(&all, harness::GENEROUS).unwrap();
    assert_eq!(again.artifact.sha256, result.artifact.sha256);
}

#[test]
fn images_of_every_format_are_merged_and_animations_yield_their_first_frame() {
    let names = [
        "png/basn6a16.png",
        "jpeg/flower.jpg",
        "webp/simple-rgb.webp",
        "avif/kodim03_yuv420_8bpc.avif",
        "tiff/16bit.cropped.tif",
        "gif/mixed-disposal.gif",
        "bmp/rgb24.bmp",
    ];
    let files = names.map(|name| corpus::file(&format!("images/{name}")));
    // The default type of an upload without a content type, except for the first, whose format the job states.
    let mut all: Vec<_> = files
        .iter()
        .map(|path| (path.as_path(), Format::Pdf))
        .collect();
    all[0].1 = Format::Png;
    let result = merge_all(&all, harness::GENEROUS).unwrap();
    assert_eq!(poppler::pages(result.path()), 7);
    assert_eq!(result.warnings(), ["animation_dropped"]);
}

#[test]
fn damaged_images_are_named_and_image_pages_count() {
    let jpeg = corpus::file("images/jpeg/flower.jpg");
    let bytes = std::fs::read(&jpeg).unwrap();
    let torn = Files::new(&[bytes[..bytes.len() / 2].to_vec()]);
    let all = [
        (jpeg.as_path(), Format::Jpeg),
        (torn.paths[0].as_path(), Format::Jpeg),
    ];
    match merge_all(&all, harness::GENEROUS) {
        Err(EngineError::Document(error)) => {
            assert_eq!(error.code, JobErrorCode::InputCorrupt);
            assert!(error.message.starts_with("Document 2 of the merge: "));
        }
        other => panic!("{:?}", other.map(|result| result.artifact)),
    }
    let tiff = corpus::file("images/tiff/g4-multi.tiff");
    let all = [
        (jpeg.as_path(), Format::Jpeg),
        (tiff.as_path(), Format::Tiff),
    ];
    let within = |pages| {
        let limits = JobLimits {
            pages,
            ..harness::GENEROUS
        };
        harness::code(merge_all(&all, limits)).err()
    };
    assert_eq!(within(4), None);
    assert_eq!(within(3), Some(JobErrorCode::TooManyPages));
}

/// A page with a red layer on the left and a blue one on the right, with this default configuration.
fn layered(configuration: &str, name: &str) -> Vec<u8> {
    pdf(&[
        format!("<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R 6 0 R]/D<<{configuration}/Order[({name})[5 0 R 6 0 R]]>>>>>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Properties<</A 5 0 R>>/XObject<</X 7 0 R>>>>>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 50]/Contents 4 0 R>>".to_vec(),
        stream("", b"/OC /A BDC 1 0 0 rg 0 0 50 50 re f EMC /X Do"),
        format!("<</Type/OCG/Name({name} red)>>").into_bytes(),
        format!("<</Type/OCG/Name({name} blue)>>").into_bytes(),
        stream("/Type/XObject/Subtype/Form/BBox[0 0 100 50]/OC 6 0 R", b"0 0 1 rg 50 0 50 50 re f"),
    ])
}

#[test]
fn hidden_layers_stay_hidden() {
    let (both, no_blue) = (layered("", "a"), layered("/OFF[6 0 R]", "b"));
    let no_red = layered("/BaseState/OFF/ON[6 0 R]", "c");
    let plain = numbered("plain", 1);
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let files = [&both, &no_blue, &no_red, &plain];
        let files = order.map(|index: usize| files[index].clone());
        let result = Files::new(&files).merge().unwrap();
        qpdf::check(result.path(), "");
        for (page, file) in (1..).zip(order) {
            let picture = poppler::picture(result.path(), page, 72);
            let found = [20, 80].map(|x| picture.get_pixel(x, 20).0);
            let white = [255; 3];
            let expected = match file {
                0 => [[255, 0, 0], [0, 0, 255]],
                1 => [[255, 0, 0], white],
                2 => [white, [0, 0, 255]],
                _ => [white, white],
            };
            assert_eq!(found, expected, "{order:?} {page}");
        }
        let document = lopdf::Document::load(result.path()).unwrap();
        let properties = document
            .catalog()
            .unwrap()
            .get_deref(b"OCProperties", &document);
        let properties = properties.unwrap().as_dict().unwrap();
        let layers = properties
            .get_deref(b"OCGs", &document)
            .unwrap()
            .as_array()
            .unwrap();
        assert_eq!(layers.len(), 6);
        let visible = properties
            .get_deref(b"D", &document)
            .unwrap()
            .as_dict()
            .unwrap();
        let visible = visible
            .get_deref(b"Order", &document)
            .unwrap()
            .as_array()
            .unwrap();
        assert_eq!(visible.len(), 6);
    }
}
