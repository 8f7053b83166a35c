//! Small PDFs that expand when parsed or rendered, or contain reference cycles.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::sample_documents::{pdf, stream};

/// Streams that inflate beyond the limit, by name.
pub(crate) fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("content that inflates thrice", inflating("", b' ')),
        (
            "a picture that inflates thrice",
            inflating(
                "/Type/XObject/Subtype/Image/Width 6000/Height 6000/BitsPerComponent 8/ColorSpace/DeviceRGB",
                0,
            ),
        ),
    ]
}

/// Reference cycles, massive repetition and nonsensical values, by name.
pub(crate) fn cycles() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("drawings that double", doubling(12)),
        ("a pattern of many names", many_patterns()),
        (
            "a glyph made of itself",
            lettered(&cyclic_composite_glyphs()),
        ),
        ("glyphs in one another", lettered(&overlapping_glyphs())),
        ("tables in one another", lettered(&overlapping_tables())),
        ("layers without an end", cyclic_layers()),
        (
            "a drawing of itself",
            self_drawing(
                "/X Do",
                "/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Resources<</XObject<</X 5 0 R>>>>",
                "/XObject<</X 5 0 R>>",
                b"/X Do",
            ),
        ),
        (
            "a pattern of itself",
            self_drawing(
                "/Pattern cs/X scn 0 0 100 100 re f",
                "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<</Pattern<</X 5 0 R>>>>",
                "/Pattern<</X 5 0 R>>",
                b"/Pattern cs/X scn 0 0 9 9 re f",
            ),
        ),
        ("a font of itself", self_referencing_font()),
        (
            "a map of characters that uses itself",
            self_referencing_cmap(),
        ),
        ("a function of itself", self_referencing_function()),
        ("filters of filters", filters(200)),
        ("pages of themselves", cyclic_page_tree()),
        ("parents of themselves", cyclic_parents()),
        ("an outline without an end", cyclic_outline()),
        (
            "names without an end",
            catalog(
                "/Names<</Dests 5 0 R>>/Dests 6 0 R",
                &["<</Kids[5 0 R 5 0 R]>>", "<</a 6 0 R>>"],
            ),
        ),
        ("a form without an end", cyclic_form()),
        (
            "tags without an end",
            catalog(
                "/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>",
                &[
                    "<</Type/StructTreeRoot/K 6 0 R/ParentTree 7 0 R/IDTree 7 0 R/RoleMap<</A/B/B/A>>/ClassMap<</C 8 0 R>>>>",
                    "<</Type/StructElem/S/A/P 6 0 R/K[6 0 R 6 0 R 5 0 R]/A 8 0 R>>",
                    "<</Kids[7 0 R 7 0 R]>>",
                    "[8 0 R 8 0 R]",
                ],
            ),
        ),
        (
            "a page without bounds",
            boxed("[-1e38 -1e38 1e38 1e38]", ""),
        ),
        ("a page of no numbers", boxed("[(a)/b null true]", "")),
        (
            "a page of a million inches a point",
            boxed("[0 0 600 800]", "/UserUnit 72000000"),
        ),
        (
            "a page of a hundredth of a point",
            boxed("[0 0 0.01 0.01]", ""),
        ),
    ]
}

/// A page with this content and resources, and further objects from number 5.
fn page(content: &[u8], resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<<{resources}>>>>").into_bytes(),
        stream("", content),
    ];
    objects.extend(more);
    pdf(&objects)
}

/// A layer list that contains itself.
fn cyclic_layers() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</Order 5 0 R/OFF[6 0 R]>>>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Properties<</L 6 0 R>>>>>>".to_vec(),
        stream("", b"/OC /L BDC 0 0 9 9 re f EMC 9 9 9 9 re f"),
        format!("[(x) 6 0 R{}]", " 5 0 R".repeat(20)).into_bytes(),
        b"<</Type/OCG/Name(L)>>".to_vec(),
    ])
}

/// A page with additional catalog entries, and further objects from number 5.
fn catalog(more: &str, objects: &[&str]) -> Vec<u8> {
    let mut all = vec![
        format!("<</Type/Catalog/Pages 2 0 R{more}>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/StructParents 0>>".to_vec(),
        b"null".to_vec(),
    ];
    all.extend(objects.iter().map(|object| object.as_bytes().to_vec()));
    pdf(&all)
}

fn boxed(bounds: &str, more: &str) -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox{bounds}{more}>>").into_bytes(),
    ])
}

/// Form XObjects, each of which draws the next one twice.
fn doubling(depth: usize) -> Vec<u8> {
    let drawings = (0..depth).map(|level| {
        let next = 6 + level;
        let about = format!(
            "/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Resources<</XObject<</X {next} 0 R>>>>"
        );
        stream(&about, b"/X Do /X Do")
    });
    let last = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 100 100]",
        b"0 0 1 1 re f",
    );
    page(
        b"/X Do",
        "/XObject<</X 5 0 R>>",
        drawings.chain([last]).collect(),
    )
}

/// A page that draws an object which draws itself.
fn self_drawing(visible: &str, about: &str, resources: &str, content: &[u8]) -> Vec<u8> {
    page(visible.as_bytes(), resources, vec![stream(about, content)])
}

fn self_referencing_font() -> Vec<u8> {
    let font = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]/Resources<</Font<</F 5 0 R>>>>>>".to_vec();
    let glyph = stream("", b"1000 0 d0 BT /F 1 Tf (aaaaaaaa) Tj ET");
    page(
        b"BT /F 20 Tf (aaaa) Tj ET",
        "/Font<</F 5 0 R>>",
        vec![font, glyph],
    )
}

fn self_referencing_cmap() -> Vec<u8> {
    let font = b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 6 0 R/ToUnicode 6 0 R/DescendantFonts[7 0 R]>>".to_vec();
    let map = stream(
        "/Type/CMap/CMapName/A/UseCMap 6 0 R",
        b"/A usecmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <ffff> <0000> endbfrange",
    );
    let descendant = b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>/DescendantFonts[5 0 R]/W[0[5 0 R]]>>".to_vec();
    page(
        b"BT /F 20 Tf <00410042> Tj ET",
        "/Font<</F 5 0 R>>",
        vec![font, map, descendant],
    )
}

fn self_referencing_function() -> Vec<u8> {
    let shading =
        b"<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]/Function 6 0 R>>".to_vec();
    let function =
        b"<</FunctionType 3/Domain[0 1]/Functions[6 0 R 6 0 R]/Bounds[.5]/Encode[0 1 0 1]>>"
            .to_vec();
    page(b"/S sh", "/Shading<</S 5 0 R>>", vec![shading, function])
}

/// Page content or an image that exceeds the limit when inflated: one repeated byte, deflated three times.
fn inflating(about: &str, byte: u8) -> Vec<u8> {
    const CHUNKS: usize = 100;
    let inner = ZlibEncoder::new(Vec::new(), Compression::best());
    let middle = ZlibEncoder::new(inner, Compression::best());
    let mut outer = ZlibEncoder::new(middle, Compression::best());
    for _ in 0..CHUNKS {
        outer.write_all(&vec![byte; 1 << 20]).unwrap();
    }
    let content = outer.finish().unwrap().finish().unwrap().finish().unwrap();
    let filter = "/Filter[/FlateDecode/FlateDecode/FlateDecode]";
    let bomb = stream(&format!("{about}{filter}"), &content);
    match about {
        "" => {
            let objects = [
                b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>".to_vec(),
                bomb,
            ];
            pdf(&objects)
        }
        _ => page(
            b"100 0 0 100 0 0 cm /X Do",
            "/XObject<</X 5 0 R>>",
            vec![bomb],
        ),
    }
}

/// Content with an excessive chain of filters.
fn filters(count: usize) -> Vec<u8> {
    let filter = format!("/Filter[{}]", "/ASCIIHexDecode".repeat(count));
    let drawing = stream(
        &format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]{filter}"),
        b"30 20 30>",
    );
    page(b"/X Do", "/XObject<</X 5 0 R>>", vec![drawing])
}

fn cyclic_page_tree() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 2 0 R 4 0 R]/Count 3>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>".to_vec(),
        b"<</Type/Pages/Parent 2 0 R/Kids[4 0 R 3 0 R 2 0 R]/Count 3>>".to_vec(),
    ])
}

fn cyclic_parents() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Parent 4 0 R/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R>>".to_vec(),
        b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>".to_vec(),
    ])
}

fn cyclic_outline() -> Vec<u8> {
    catalog(
        "/Outlines 5 0 R",
        &[
            "<</Type/Outlines/First 6 0 R/Last 6 0 R/Count 1>>",
            "<</Title(a)/Parent 5 0 R/First 7 0 R/Last 7 0 R/Next 6 0 R/Dest[3 0 R/Fit]>>",
            "<</Title(b)/Parent 6 0 R/First 6 0 R/Last 6 0 R/Next 7 0 R/Prev 7 0 R/Dest(x)>>",
        ],
    )
}

fn cyclic_form() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 5 0 R]/NeedAppearances true/DA(/H 0 Tf)>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Annots[5 0 R 4 0 R 5 0 R]>>".to_vec(),
        b"<</Type/Annot/Subtype/Widget/Rect[0 0 50 20]/Parent 5 0 R/V<FEFF0414>>>".to_vec(),
        b"<</FT/Tx/T(a)/Kids[5 0 R 4 0 R]/Parent 4 0 R/Subtype/Widget/Rect[0 0 50 20]/V<FEFF0414>>>".to_vec(),
    ])
}

/// Number of references.
const MANY: usize = 10_000;

/// A pattern that draws an image many times, under many names.
fn many_patterns() -> Vec<u8> {
    let names: String = (0..MANY)
        .map(|number| format!("/P{number} 5 0 R"))
        .collect();
    let pattern = "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<</XObject<</I 6 0 R>>>>";
    page(
        b"/Pattern cs /P0 scn 0 0 9 9 re f",
        &format!("/Pattern<<{names}>>"),
        vec![stream(pattern, &b"/I Do ".repeat(MANY)), picture()],
    )
}

fn picture() -> Vec<u8> {
    stream(
        "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8",
        b"x",
    )
}

/// A page that uses this font program.
fn lettered(program: &[u8]) -> Vec<u8> {
    page(
        b"BT /F 20 Tf 10 40 Td <002400250026> Tj ET",
        "/Font<</F 5 0 R>>",
        vec![
            b"<</Type/Font/Subtype/Type0/BaseFont/DejaVuSans/Encoding/Identity-H/DescendantFonts[6 0 R]>>".to_vec(),
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/DejaVuSans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 700/FontDescriptor 7 0 R/CIDToGIDMap/Identity>>".to_vec(),
            b"<</Type/FontDescriptor/FontName/DejaVuSans/Flags 32/FontBBox[-1021 -463 1793 1232]/ItalicAngle 0/Ascent 928/Descent -236/CapHeight 729/StemV 80/FontFile2 8 0 R>>".to_vec(),
            stream(&format!("/Length1 {}", program.len()), program),
        ],
    )
}

/// Offset of a table's directory entry, offset of the table, and its length.
fn table(program: &[u8], tag: &[u8; 4]) -> (usize, usize, usize) {
    let number = |at: usize| u32::from_be_bytes(program[at..at + 4].try_into().unwrap()) as usize;
    let mut records = (12..).step_by(16);
    let record = records.find(|at| &program[*at..*at + 4] == tag).unwrap();
    (record, number(record + 8), number(record + 12))
}

/// A font whose composite glyphs A, B and C contain one another, and themselves twice.
fn cyclic_composite_glyphs() -> Vec<u8> {
    let mut program = dejavu::sans::regular().to_vec();
    let (_, loca, _) = table(&program, b"loca");
    let (_, glyf, _) = table(&program, b"glyf");
    for (glyph, part) in [(0x24_u16, 0x24_u16), (0x25, 0x26), (0x26, 0x25)] {
        let at = loca + usize::from(glyph) * 4;
        let at = glyf + u32::from_be_bytes(program[at..at + 4].try_into().unwrap()) as usize;
        program[at..at + 2].copy_from_slice(&[0xff, 0xff]);
        for (index, more) in [(0, 0x22_u16), (1, 0x02)] {
            let at = at + 10 + index * 6;
            program[at..at + 2].copy_from_slice(&more.to_be_bytes());
            program[at + 2..at + 4].copy_from_slice(&part.to_be_bytes());
            program[at + 4..at + 6].copy_from_slice(&[0, 0]);
        }
    }
    program
}

/// A font whose glyphs each contain the outlines of all.
fn overlapping_glyphs() -> Vec<u8> {
    let mut program = dejavu::sans::regular().to_vec();
    let (_, loca, length) = table(&program, b"loca");
    let (_, _, all) = table(&program, b"glyf");
    for at in (loca..loca + length).step_by(4) {
        // Every other glyph starts where its neighbor ends.
        let offset = if at / 4 % 2 == loca / 4 % 2 {
            0
        } else {
            all as u32
        };
        program[at..at + 4].copy_from_slice(&offset.to_be_bytes());
    }
    program
}

/// A font with the maximum number of tables, each of which covers the whole file.
fn overlapping_tables() -> Vec<u8> {
    let mut program = dejavu::sans::regular()[..12].to_vec();
    program[4..6].copy_from_slice(&u16::MAX.to_be_bytes());
    let size = 12 + usize::from(u16::MAX) * 16;
    for number in 0..u16::MAX {
        program.extend([b'T', b'0']);
        program.extend(number.to_be_bytes());
        program.extend([0; 8]);
        program.extend(u32::try_from(size).unwrap().to_be_bytes());
    }
    program
}
