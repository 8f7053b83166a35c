//! Operation `optimize` subsets fonts without visible changes.

use domain::format::Format;
use domain::operation::{Operation, OptimizeLevel, OptimizeOptions};
use lopdf::{Document, Object, Stream};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, GlyphId, MetadataProvider as _, Tag};

use crate::harness::Converted;
use crate::sample_documents::{pdf, stream};
use crate::{harness, poppler, qpdf, similarity};

fn optimized(document: &[u8], level: OptimizeLevel) -> Converted {
    let result = unchecked(document, level);
    qpdf::check(result.path(), "");
    result
}

fn unchecked(document: &[u8], level: OptimizeLevel) -> Converted {
    let step = Operation::Optimize(OptimizeOptions {
        level: Some(level),
        ..OptimizeOptions::default()
    });
    harness::run_bytes(document, Format::Pdf, &[step]).unwrap()
}

fn font() -> FontRef<'static> {
    FontRef::new(dejavu::sans::regular()).unwrap()
}

/// Glyph index of a letter; 0 if missing.
fn glyph(letter: char) -> u16 {
    let glyph = font().charmap().map(letter).unwrap_or(GlyphId::NOTDEF);
    u16::try_from(glyph.to_u32()).unwrap()
}

fn count(font: &FontRef<'_>) -> u16 {
    font.maxp().unwrap().num_glyphs()
}

/// A font descriptor whose font program is object `file`, and that program.
fn description(file: u32) -> [Vec<u8>; 2] {
    let about = format!(
        "<</Type/FontDescriptor/FontName/DejaVuSans/Flags 32/FontBBox[-1021 -463 1793 1232]/ItalicAngle 0/Ascent 928\
         /Descent -236/CapHeight 729/StemV 80/FontFile2 {file} 0 R>>"
    );
    let program = dejavu::sans::regular();
    let length = format!("/Length1 {}", program.len());
    [about.into_bytes(), stream(&length, program)]
}

/// A single-byte font with a Western European encoding and this descriptor.
fn latin(described: u32) -> Vec<u8> {
    let font = font();
    let width = |code: u8| {
        let advance = font.hmtx().unwrap().advance(glyph(code.into()).into());
        u32::from(advance.unwrap()) * 1000 / u32::from(font.head().unwrap().units_per_em())
    };
    let widths: String = (b' '..=b'~')
        .map(|code| format!("{} ", width(code)))
        .collect();
    format!(
        "<</Type/Font/Subtype/TrueType/BaseFont/DejaVuSans/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126\
         /Widths[{widths}]/FontDescriptor {described} 0 R>>"
    )
    .into_bytes()
}

/// The font program of the only font of a result.
fn program(pdf: &[u8]) -> Vec<u8> {
    let document = Document::load_mem(pdf).unwrap();
    let programs: Vec<_> = document
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok())
        .filter(|stream| stream.dict.has(b"Length1"))
        .collect();
    assert_eq!(programs.len(), 1);
    programs[0].get_plain_content().unwrap()
}

/// The letters that have an outline in a font program.
fn letters(program: &[u8]) -> String {
    ('!'..='~')
        .filter(|letter| has_outline(program, *letter))
        .collect()
}

/// Whether a font program still has the outline of a letter.
fn has_outline(program: &[u8], letter: char) -> bool {
    #[derive(Default)]
    struct Drawn(bool);
    impl OutlinePen for Drawn {
        fn move_to(&mut self, _: f32, _: f32) {
            self.0 = true;
        }
        fn line_to(&mut self, _: f32, _: f32) {}
        fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {}
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {}
        fn close(&mut self) {}
    }
    let found = FontRef::new(program).unwrap();
    assert_eq!(count(&found), count(&font()));
    let outline = found.outline_glyphs().get(glyph(letter).into()).unwrap();
    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
    let mut rendered = Drawn::default();
    outline.draw(settings, &mut rendered).unwrap();
    rendered.0
}

/// Asserts that a result renders and extracts like its source.
fn assert_alike(document: &[u8], result: &Converted) {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), document).unwrap();
    let (one, other) = (
        poppler::picture(source.path(), 1, 150),
        poppler::picture(result.path(), 1, 150),
    );
    assert!(
        one.pixels().any(|pixel| pixel.0 == [0; 3]),
        "nothing is drawn"
    );
    assert!(
        one == other,
        "{}",
        similarity::difference(&one, &other, 300)
    );
    assert_eq!(poppler::texts(result.path()), poppler::texts(source.path()));
}

/// A page that uses one font everywhere that content can use fonts.
fn everywhere(content: &[u8]) -> Vec<u8> {
    let [about, file] = description(7);
    let resources = "/Resources<</Font<</F 5 0 R>>>>";
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[11 0 R]/Resources<</Font<</F 5 0 R/T 10 0 R>>\
          /XObject<</X 8 0 R>>/Pattern<</P 9 0 R>>>>>>"
            .to_vec(),
        stream("", content),
        latin(6),
        about,
        file,
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 300 50]{resources}"),
            b"BT /F 20 Tf 10 20 Td <666f> Tj ET",
        ),
        stream(
            &format!(
                "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 40 40]/XStep 40/YStep 40{resources}"
            ),
            b"BT /F 20 Tf 5 10 Td (pa) ' ET",
        ),
        format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 50 50]/FontMatrix[.02 0 0 .02 0 0]/FirstChar 97/LastChar 97\
             /Widths[50]/Encoding<</Differences[97/a]>>/CharProcs<</a 13 0 R>>{resources}>>"
        )
        .into_bytes(),
        b"<</Type/Annot/Subtype/Stamp/Rect[10 220 100 260]/AP<</N 12 0 R>>>>".to_vec(),
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 90 40]{resources}"),
            b"BT /F 20 Tf 5 10 Td (an) Tj ET",
        ),
        stream("", b"50 0 d0 BT /F 40 Tf 5 10 Td (G) Tj ET"),
    ])
}

const EVERYWHERE: &[u8] = b"BT /F 20 Tf 10 180 Td [(W) -20 (\\157rd)] TJ ET /X Do \
    /Pattern cs /P scn 100 60 150 100 re f BT /T 30 Tf 10 100 Td (a) Tj ET";

/// Largest size of a document with few letters of a font of 740,000 bytes.
const MOST: u64 = 30_000;

#[test]
fn fonts_are_subset_to_used_glyphs() {
    let document = everywhere(EVERYWHERE);
    for level in [OptimizeLevel::Balanced, OptimizeLevel::Small] {
        let result = optimized(&document, level);
        assert_alike(&document, &result);
        let kept = letters(&program(&result.bytes()));
        // Some readers use the character code as glyph index.
        assert!(
            "GWadfnopr".chars().all(|letter| kept.contains(letter)) && kept.len() < 16,
            "{kept}"
        );
        let size = result.artifact.size_bytes;
        assert!(size < MOST, "{size}");
    }
    let result = optimized(&document, OptimizeLevel::Lossless);
    assert_alike(&document, &result);
    let program = program(&result.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(!has_table(&program, b"GPOS") && has_table(&program, b"fpgm"));
}

fn has_table(program: &[u8], name: &[u8; 4]) -> bool {
    let font = FontRef::new(program).unwrap();
    font.table_data(Tag::new(name)).is_some()
}

/// Asserts that a document renders and extracts as before, and that its font keeps all letters but no tables irrelevant to
/// rendering. A failed subset would keep all tables.
fn assert_keeps_all_letters(document: &[u8]) {
    let result = optimized(document, OptimizeLevel::Balanced);
    assert_alike(document, &result);
    let program = program(&result.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(!has_table(&program, b"GPOS"));
}

#[test]
fn fonts_with_untraceable_use_are_not_subset() {
    let cut = [EVERYWHERE, b" BT /F 20 Tf (cut".as_slice()].concat();
    let result = unchecked(&everywhere(&cut), OptimizeLevel::Balanced);
    assert_eq!(letters(&program(&result.bytes())).len(), 94);
}

#[test]
fn fonts_missing_from_resources_are_not_subset() {
    let [about, file] = description(7);
    // The form XObject has resources without fonts: readers use the page's.
    assert_keeps_all_letters(&pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 8 0 R>>>>>>"
            .to_vec(),
        stream("", b"BT /F 20 Tf 10 60 Td (page) Tj ET /X Do"),
        latin(6),
        about,
        file,
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 300 50]/Resources<</ProcSet[/PDF/Text]>>",
            b"BT /F 20 Tf 10 20 Td (form) Tj ET",
        ),
    ]));
}

#[test]
fn shared_font_programs_are_not_subset() {
    let [about, file] = description(7);
    let [same_about, same_file] = description(9);
    // The second font dictionary is a direct object of the resources.
    let inline = String::from_utf8(latin(8)).unwrap();
    assert_keeps_all_letters(&pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R/G {inline}>>>>>>"
        )
        .into_bytes(),
        stream(
            "",
            b"BT /F 20 Tf 10 60 Td (abc) Tj /G 20 Tf 0 -40 Td (xyz) Tj ET",
        ),
        latin(6),
        about,
        file,
        same_about,
        same_file,
    ]));
}

/// Content that a text scanner misses: it takes the text between two inline images for data of the first.
const OVERLOOKED: &[u8] =
    b" BI /W 4 /H 4 /BPC 8 /CS /G ID 0123456789abcdefEI BT /F 20 Tf 10 140 Td (zyx.) Tj ET \
    BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ";

#[test]
fn fonts_are_kept_if_rendering_would_change() {
    let document = everywhere(&[EVERYWHERE, OVERLOOKED].concat());
    let result = unchecked(&document, OptimizeLevel::Balanced);
    let program = program(&result.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(has_table(&program, b"GPOS"));
    assert!(poppler::texts(result.path())[0].contains("zyx."));
}

#[test]
fn fonts_are_kept_beyond_the_page_comparison_limit() {
    const PAGES: usize = 101;
    let [about, file] = description(7);
    let kids: String = (0..PAGES)
        .map(|page| format!("{} 0 R ", 8 + page))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[3 0 R {kids}]/Count {}/MediaBox[0 0 30 30]>>",
            PAGES + 1
        )
        .into_bytes(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
        stream("", b"BT /F 20 Tf 10 10 Td (a) Tj ET"),
        latin(6),
        about,
        file,
    ];
    objects.extend((0..PAGES).map(|_| b"<</Type/Page/Parent 2 0 R>>".to_vec()));
    let result = optimized(&pdf(&objects), OptimizeLevel::Balanced);
    let program = program(&result.bytes());
    assert!(has_table(&program, b"GPOS") && letters(&program).len() == 94);
}

#[test]
fn fonts_with_custom_codes_are_not_subset() {
    // Code 1 maps to character 257, and so on.
    let word: Vec<u16> = "Wort".chars().map(glyph).collect();
    let mut map = vec![0; 0x200];
    map.extend([0, 0]);
    map.extend(word.iter().flat_map(|glyph| glyph.to_be_bytes()));
    let codes = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 1 def \
        1 begincodespacerange <0000> <ffff> endcodespacerange 1 begincidrange <0001> <0004> 257 endcidrange \
        endcmap CMapName currentdict /CMap defineresource pop end end";
    let [about, file] = description(8);
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
        stream("", b"BT /F 30 Tf 10 40 Td <0001000200030004> Tj ET"),
        b"<</Type/Font/Subtype/Type0/BaseFont/DejaVuSans/Encoding 10 0 R/DescendantFonts[6 0 R]>>".to_vec(),
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/DejaVuSans/CIDSystemInfo<</Registry(Own)/Ordering(Own)\
          /Supplement 0>>/DW 700/FontDescriptor 7 0 R/CIDToGIDMap 9 0 R>>"
            .to_vec(),
        about,
        file,
        stream("", &map),
        stream(
            "/Type/CMap/CMapName/Own/CIDSystemInfo<</Registry(Own)/Ordering(Own)/Supplement 0>>",
            codes,
        ),
    ]);
    assert_keeps_all_letters(&document);
    // Glyph variants may be selected by a layout table.
    let result = optimized(&document, OptimizeLevel::Balanced);
    assert!(has_table(&program(&result.bytes()), b"GSUB"));
}

#[test]
fn cid_fonts_are_subset_by_their_cid_map() {
    let word: Vec<u16> = "Ägypten".chars().map(glyph).collect();
    // The CIDToGIDMap reverses the numbers.
    let last = count(&font()) - 1;
    let map: Vec<u8> = (0..=last)
        .flat_map(|number| (last - number).to_be_bytes())
        .collect();
    for (map, number) in [
        (
            None,
            Box::new(|glyph: u16| glyph) as Box<dyn Fn(u16) -> u16>,
        ),
        (Some(map), Box::new(move |glyph| last - glyph)),
    ] {
        let digits: String = word
            .iter()
            .map(|glyph| format!("{:04x}", number(*glyph)))
            .collect();
        let entry = map.as_ref().map_or("/Identity", |_| " 9 0 R");
        let [about, file] = description(8);
        let document = pdf(&[
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>".to_vec(),
            b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
            stream("", format!("BT /F 30 Tf 10 40 Td <{digits}> Tj ET").as_bytes()),
            b"<</Type/Font/Subtype/Type0/BaseFont/DejaVuSans/Encoding/Identity-H/DescendantFonts[6 0 R]>>".to_vec(),
            format!(
                "<</Type/Font/Subtype/CIDFontType2/BaseFont/DejaVuSans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
                 /Supplement 0>>/DW 700/FontDescriptor 7 0 R/CIDToGIDMap{entry}>>"
            )
            .into_bytes(),
            about,
            file,
            stream("", &map.unwrap_or_default()),
        ]);
        let result = optimized(&document, OptimizeLevel::Balanced);
        assert_alike(&document, &result);
        // The first is a composite of this letter and another.
        assert_eq!(letters(&program(&result.bytes())), "Aegnpty");
        assert!(
            result.artifact.size_bytes < MOST,
            "{}",
            result.artifact.size_bytes
        );
    }
}

/// A form with one field that contains a word, in a font that is used nowhere else.
fn form() -> Vec<u8> {
    form_that("")
}

/// The same form with these additional entries.
fn form_that(more: &str) -> Vec<u8> {
    let [about, file] = description(7);
    pdf(&[
        format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DA(/F 20 Tf 0 g)/DR<</Font<</F 5 0 R>>>>>>{more}>>")
            .into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 100]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>".to_vec(),
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(abc)/DA(/F 20 Tf 0 g)/Rect[10 20 290 60]/F 4/P 3 0 R/AP<</N 8 0 R>>>>"
            .to_vec(),
        latin(6),
        about,
        file,
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 280 40]/Resources<</Font<</F 5 0 R>>>>",
            b"/Tx BMC BT /F 20 Tf 5 10 Td (abc) Tj ET EMC",
        ),
    ])
}

/// The same form with another word in its field.
fn filled(pdf: &[u8]) -> tempfile::NamedTempFile {
    let mut document = Document::load_mem(pdf).unwrap();
    let field = |object: &Object| {
        object
            .as_dict()
            .is_ok_and(|field| field.has(b"DA") && field.has(b"T"))
    };
    let mut objects = document.objects.values_mut();
    let field = objects
        .find(|object| field(object))
        .unwrap()
        .as_dict_mut()
        .unwrap();
    field.set("V", Object::string_literal("QXyz#7"));
    let appearance = field
        .get(b"AP")
        .unwrap()
        .as_dict()
        .unwrap()
        .get(b"N")
        .unwrap()
        .as_reference();
    let Object::Stream(appearance) = document.objects.get_mut(&appearance.unwrap()).unwrap() else {
        panic!("no appearance");
    };
    let about = appearance.dict.clone();
    *appearance = Stream::new(
        about,
        b"/Tx BMC BT /F 20 Tf 5 10 Td (QXyz#7) Tj ET EMC".to_vec(),
    );
    appearance.dict.remove(b"Filter");
    let file = tempfile::NamedTempFile::new().unwrap();
    document.save(file.path()).unwrap();
    file
}

#[test]
fn form_fonts_keep_unused_letters() {
    let source = form();
    let result = optimized(&source, OptimizeLevel::Small);
    assert_alike(&source, &result);
    assert!(result.artifact.size_bytes * 2 < source.len() as u64);
    assert_eq!(letters(&program(&result.bytes())).len(), 94);
    let (expected, found) = (filled(&source), filled(&result.bytes()));
    assert!(poppler::picture(expected.path(), 1, 100) == poppler::picture(found.path(), 1, 100));
    assert_eq!(poppler::texts(found.path()), ["QXyz#7"]);
}

#[test]
fn form_fonts_keep_all_encoded_characters() {
    let written = |document: &[u8], level| {
        let result = optimized(document, level);
        assert_alike(document, &result);
        let program = program(&result.bytes());
        // Codes of Windows, Mac and neither encoding.
        let letters = ["Äß€Œ", "ﬁπΩ", "ЖДאλ"];
        letters.map(|letters| {
            let rendered = letters
                .chars()
                .filter(|letter| has_outline(&program, *letter));
            rendered.count()
        })
    };
    assert_eq!(written(&form(), OptimizeLevel::Balanced), [4, 3, 0]);
    assert_eq!(written(&form(), OptimizeLevel::Lossless), [4, 3, 4]);
    // XFA: pages are laid out from the form data, which can contain any letters.
    let xfa_form = form_that("/NeedsRendering true");
    assert_eq!(written(&xfa_form, OptimizeLevel::Balanced), [4, 3, 4]);
}
