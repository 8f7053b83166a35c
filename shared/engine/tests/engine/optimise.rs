//! PDF becomes smaller, and never worse to look at.

use domain::format::Format;
use domain::operation::{Operation, OptimiseLevel, OptimiseOptions};

use crate::documents::{pdf, stream};
use crate::{corpus, likeness, poppler, qpdf, rig};

fn optimise(level: OptimiseLevel) -> Operation {
    Operation::Optimise(OptimiseOptions {
        level: Some(level),
        ..OptimiseOptions::default()
    })
}

#[test]
fn real_documents_become_no_larger_and_look_the_same() {
    let levels = [
        OptimiseLevel::Lossless,
        OptimiseLevel::Balanced,
        OptimiseLevel::Small,
    ];
    let cases: Vec<_> = corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 16)
        .into_iter()
        .flat_map(|(entry, _)| levels.map(|level| (entry.clone(), level)))
        .collect();
    rig::each(cases, |(entry, level)| {
        let made = rig::run(&entry.path(), Format::Pdf, &[optimise(level)]);
        let made = made.unwrap_or_else(|error| panic!("{} {level:?}: {error:?}", entry.file));
        let source = std::fs::read(entry.path()).unwrap();
        assert!(made.bytes().len() <= source.len(), "{}", entry.file);
        let same = made.bytes() == source;
        assert_eq!(
            same,
            made.warnings().contains(&"already_optimal"),
            "{}",
            entry.file
        );
        assert_eq!(
            poppler::texts(made.path()),
            poppler::texts(&entry.path()),
            "{}",
            entry.file
        );
        let (one, other) = (
            poppler::picture(&entry.path(), 1, 72),
            poppler::picture(made.path(), 1, 72),
        );
        let difference = likeness::difference(&one, &other, 150);
        assert!(difference < 1.5, "{} {level:?}: {difference}", entry.file);
        if !same {
            qpdf::check(made.path(), "");
        }
    });
}

/// A page that shows a photograph of 640 pixels a side.
fn photograph() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(640, 640, |x, y| {
        let wave = |by: f32| ((x as f32 / by).sin() * (y as f32 / (by + 7.0)).cos() * 90.0) as i32;
        let shade = |wave: i32| (128 + wave + ((x * 7 + y * 13) % 5) as i32).clamp(0, 255) as u8;
        image::Rgb([shade(wave(31.0)), shade(wave(47.0)), shade(wave(59.0))])
    });
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>".to_vec(),
        stream("", b"q 300 0 0 300 0 0 cm /I Do Q"),
        stream(
            "/Type/XObject/Subtype/Image/Width 640/Height 640/ColorSpace/DeviceRGB/BitsPerComponent 8",
            &picture,
        ),
    ])
}

#[test]
fn photographs_are_recompressed_unless_nothing_may_be_lost() {
    let size = |options: OptimiseOptions| {
        let step = Operation::Optimise(options);
        let made = rig::run_bytes(&photograph(), Format::Pdf, &[step]).unwrap();
        let found = poppler::picture(made.path(), 1, 72);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), photograph()).unwrap();
        let expected = poppler::picture(file.path(), 1, 72);
        assert!(likeness::difference(&expected, &found, 100) < 2.0);
        made.artifact.size_bytes
    };
    let of = |level| {
        size(OptimiseOptions {
            level: Some(level),
            ..OptimiseOptions::default()
        })
    };
    let (lossless, balanced) = (of(OptimiseLevel::Lossless), of(OptimiseLevel::Balanced));
    let small = of(OptimiseLevel::Small);
    assert!(lossless > 2 * balanced, "{lossless} {balanced}");
    assert!(balanced > small, "{balanced} {small}");
    assert_eq!(size(OptimiseOptions::default()), balanced);
}

#[test]
fn a_result_is_linearized_when_asked_for() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let step = Operation::Optimise(OptimiseOptions {
        linearize: Some(true),
        ..OptimiseOptions::default()
    });
    let made = rig::run(&source, Format::Pdf, &[step]).unwrap();
    assert_eq!(poppler::field(made.path(), "Optimized"), "yes");
    assert_eq!(qpdf::outline(made.path()), qpdf::outline(&source));
    let made = rig::run(&source, Format::Pdf, &[optimise(OptimiseLevel::Balanced)]).unwrap();
    assert_eq!(poppler::field(made.path(), "Optimized"), "no");
}

#[test]
fn what_was_made_smaller_is_the_source_the_next_time() {
    let step = || optimise(OptimiseLevel::Lossless);
    let source = corpus::file("pdf-text/multi_page.pdf");
    let once = rig::run(&source, Format::Pdf, &[step()]).unwrap();
    let twice = rig::run(once.path(), Format::Pdf, &[step()]).unwrap();
    assert_eq!(twice.warnings(), ["already_optimal"]);
    assert_eq!(twice.artifact.sha256, once.artifact.sha256);
}
