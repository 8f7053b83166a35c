//! Writes ToUnicode CMaps, for search and copy of the text of a font [ISO 32000-1, 9.10.3].

/// Maximum number of entries of a `bfchar` block [Adobe technical note 5411].
const MAX_ENTRIES: usize = 100;

/// Returns the CMap of a font whose codes have `length` bytes, with the texts of its codes.
pub(crate) fn write<'t>(length: usize, texts: impl Iterator<Item = (u16, &'t str)>) -> String {
    let digits = 2 * length;
    let lines = texts.map(|(code, text)| format!("<{code:0digits$x}> <{}>", hexadecimal(text)));
    let lines: Vec<String> = lines.collect();
    let lists = lines.chunks(MAX_ENTRIES).map(|lines| {
        let count = lines.len();
        format!("{count} beginbfchar\n{}\nendbfchar\n", lines.join("\n"))
    });
    let lists: String = lists.collect();
    format!(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
        /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n\
        /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
        1 begincodespacerange\n<{}> <{}>\nendcodespacerange\n{lists}\
        endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n",
        "00".repeat(length),
        "ff".repeat(length),
    )
}

/// UTF-16BE in hexadecimal.
pub(crate) fn hexadecimal(characters: &str) -> String {
    let units = characters.encode_utf16();
    units.map(|unit| format!("{unit:04x}")).collect()
}
