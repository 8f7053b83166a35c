//! Fonts of a PDF are reduced to what is drawn of them, and nobody sees it.

use domain::format::Format;
use domain::operation::{Operation, OptimiseLevel, OptimiseOptions};
use lopdf::{Document, Object, Stream};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, GlyphId, MetadataProvider as _, Tag};

use crate::documents::{pdf, stream};
use crate::rig::Made;
use crate::{likeness, poppler, qpdf, rig};

fn optimised(document: &[u8], level: OptimiseLevel) -> Made {
    let made = unchecked(document, level);
    qpdf::check(made.path(), "");
    made
}

fn unchecked(document: &[u8], level: OptimiseLevel) -> Made {
    let step = Operation::Optimise(OptimiseOptions {
        level: Some(level),
        ..OptimiseOptions::default()
    });
    rig::run_bytes(document, Format::Pdf, &[step]).unwrap()
}

fn font() -> FontRef<'static> {
    FontRef::new(dejavu::sans::regular()).unwrap()
}

/// The number of a letter's glyph; 0 without one.
fn glyph(letter: char) -> u16 {
    let glyph = font().charmap().map(letter).unwrap_or(GlyphId::NOTDEF);
    u16::try_from(glyph.to_u32()).unwrap()
}

fn count(font: &FontRef<'_>) -> u16 {
    font.maxp().unwrap().num_glyphs()
}

/// The description of a font whose program is object `file`, and that program.
fn description(file: u32) -> [Vec<u8>; 2] {
    let about = format!(
        "<</Type/FontDescriptor/FontName/DejaVuSans/Flags 32/FontBBox[-1021 -463 1793 1232]/ItalicAngle 0/Ascent 928\
         /Descent -236/CapHeight 729/StemV 80/FontFile2 {file} 0 R>>"
    );
    let program = dejavu::sans::regular();
    let length = format!("/Length1 {}", program.len());
    [about.into_bytes(), stream(&length, program)]
}

/// A font of one byte a character, in the letters of Western Europe, described by an object.
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

/// The program of the only font of a result.
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

/// The letters of which a program has an outline.
fn letters(program: &[u8]) -> String {
    ('!'..='~')
        .filter(|letter| has_outline(program, *letter))
        .collect()
}

/// Whether a program has an outline for a letter, which the whole one has.
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
    let mut drawn = Drawn::default();
    outline.draw(settings, &mut drawn).unwrap();
    drawn.0
}

/// That a result is drawn and read as its source is.
fn assert_alike(document: &[u8], made: &Made) {
    let source = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(source.path(), document).unwrap();
    let (one, other) = (
        poppler::picture(source.path(), 1, 150),
        poppler::picture(made.path(), 1, 150),
    );
    assert!(
        one.pixels().any(|pixel| pixel.0 == [0; 3]),
        "nothing is drawn"
    );
    assert!(one == other, "{}", likeness::difference(&one, &other, 300));
    assert_eq!(poppler::texts(made.path()), poppler::texts(source.path()));
}

/// A page that writes with one font in every way there is.
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

/// Most bytes of a document with a few letters of a font of 740,000.
const MOST: u64 = 30_000;

#[test]
fn a_font_is_reduced_to_what_is_drawn_of_it() {
    let document = everywhere(EVERYWHERE);
    for level in [OptimiseLevel::Balanced, OptimiseLevel::Small] {
        let made = optimised(&document, level);
        assert_alike(&document, &made);
        let kept = letters(&program(&made.bytes()));
        // Some readers take the number of a character for that of its glyph.
        assert!(
            "GWadfnopr".chars().all(|letter| kept.contains(letter)) && kept.len() < 16,
            "{kept}"
        );
        let size = made.artifact.size_bytes;
        assert!(size < MOST, "{size}");
    }
    let made = optimised(&document, OptimiseLevel::Lossless);
    assert_alike(&document, &made);
    let program = program(&made.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(!has_table(&program, b"GPOS") && has_table(&program, b"fpgm"));
}

fn has_table(program: &[u8], name: &[u8; 4]) -> bool {
    let font = FontRef::new(program).unwrap();
    font.table_data(Tag::new(name)).is_some()
}

/// That a document is drawn and read as before, and that its font has all letters and nothing that only programs need that
/// set text: what was reduced wrongly would have been left as it is, with all of its tables.
fn keeps_its_letters(document: &[u8]) {
    let made = optimised(document, OptimiseLevel::Balanced);
    assert_alike(document, &made);
    let program = program(&made.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(!has_table(&program, b"GPOS"));
}

#[test]
fn a_font_whose_use_cannot_be_followed_keeps_its_glyphs() {
    let cut = [EVERYWHERE, b" BT /F 20 Tf (cut".as_slice()].concat();
    let made = unchecked(&everywhere(&cut), OptimiseLevel::Balanced);
    assert_eq!(letters(&program(&made.bytes())).len(), 94);
}

#[test]
fn a_font_keeps_its_glyphs_where_its_name_is_not_among_the_resources() {
    let [about, file] = description(7);
    // The form has resources without fonts: readers take the page's.
    keeps_its_letters(&pdf(&[
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
fn a_program_keeps_its_glyphs_if_another_object_names_the_same() {
    let [about, file] = description(7);
    let [same_about, same_file] = description(9);
    // The second font is no object of its own.
    let inline = String::from_utf8(latin(8)).unwrap();
    keeps_its_letters(&pdf(&[
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

/// What a walk through the content overlooks: it takes the text between two pictures for samples of the first.
const OVERLOOKED: &[u8] =
    b" BI /W 4 /H 4 /BPC 8 /CS /G ID 0123456789abcdefEI BT /F 20 Tf 10 140 Td (zyx.) Tj ET \
    BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ";

#[test]
fn a_font_stays_as_it_is_if_a_page_would_look_different() {
    let document = everywhere(&[EVERYWHERE, OVERLOOKED].concat());
    let made = unchecked(&document, OptimiseLevel::Balanced);
    let program = program(&made.bytes());
    assert_eq!(letters(&program).len(), 94);
    assert!(has_table(&program, b"GPOS"));
    assert!(poppler::texts(made.path())[0].contains("zyx."));
}

#[test]
fn fonts_stay_as_they_are_where_there_are_more_pages_than_are_compared() {
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
    let made = optimised(&pdf(&objects), OptimiseLevel::Balanced);
    let program = program(&made.bytes());
    assert!(has_table(&program, b"GPOS") && letters(&program).len() == 94);
}

#[test]
fn a_font_whose_codes_are_no_numbers_of_characters_keeps_its_glyphs() {
    // Code 1 is character 257, and so on.
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
    keeps_its_letters(&document);
    // Forms of glyphs may be told by a table.
    let made = optimised(&document, OptimiseLevel::Balanced);
    assert!(has_table(&program(&made.bytes()), b"GSUB"));
}

#[test]
fn a_font_of_numbered_glyphs_is_reduced_by_its_map() {
    let word: Vec<u16> = "Ägypten".chars().map(glyph).collect();
    // The map turns the numbers round.
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
        let made = optimised(&document, OptimiseLevel::Balanced);
        assert_alike(&document, &made);
        // The first is put together of this letter and another.
        assert_eq!(letters(&program(&made.bytes())), "Aegnpty");
        assert!(
            made.artifact.size_bytes < MOST,
            "{}",
            made.artifact.size_bytes
        );
    }
}

/// A form with one field that holds a word, in a font that is otherwise not written with.
fn form() -> Vec<u8> {
    form_that("")
}

/// The same form, of which the document says this.
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
fn a_field_is_filled_in_with_letters_that_were_not_used() {
    let source = form();
    let made = optimised(&source, OptimiseLevel::Small);
    assert_alike(&source, &made);
    assert!(made.artifact.size_bytes * 2 < source.len() as u64);
    assert_eq!(letters(&program(&made.bytes())).len(), 94);
    let (expected, found) = (filled(&source), filled(&made.bytes()));
    assert!(poppler::picture(expected.path(), 1, 100) == poppler::picture(found.path(), 1, 100));
    assert_eq!(poppler::texts(found.path()), ["QXyz#7"]);
}

#[test]
fn a_font_to_type_with_keeps_what_its_codes_can_stand_for() {
    let written = |document: &[u8], level| {
        let made = optimised(document, level);
        assert_alike(document, &made);
        let program = program(&made.bytes());
        // Of the codes of Windows, of Apple, and of neither.
        let letters = ["Äß€Œ", "ﬁπΩ", "ЖДאλ"];
        letters.map(|letters| {
            let drawn = letters
                .chars()
                .filter(|letter| has_outline(&program, *letter));
            drawn.count()
        })
    };
    assert_eq!(written(&form(), OptimiseLevel::Balanced), [4, 3, 0]);
    assert_eq!(written(&form(), OptimiseLevel::Lossless), [4, 3, 4]);
    // Its pages are laid out by what the form says of itself, in any letters.
    let anew = form_that("/NeedsRendering true");
    assert_eq!(written(&anew, OptimiseLevel::Balanced), [4, 3, 4]);
}
