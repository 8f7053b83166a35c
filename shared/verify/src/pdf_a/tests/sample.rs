//! A PDF that conforms to a level, and changed copies of it.

use crate::pdf_a::PdfaLevel;

/// An object: its value, or the members of the dictionary of a stream and its data.
pub(super) struct Object(String, Option<Vec<u8>>);

/// A file in parts.
pub(super) struct Sample {
    head: Vec<u8>,
    objects: Vec<Object>,
    trailer: String,
}

/// The header of an sRGB profile; the checks read nothing else.
fn profile() -> Vec<u8> {
    let mut header = vec![0; 128];
    header[..4].copy_from_slice(&128_u32.to_be_bytes());
    header[8..12].copy_from_slice(&[2, 0x10, 0, 0]);
    header[12..24].copy_from_slice(b"mntrRGB XYZ ");
    header[36..40].copy_from_slice(b"acsp");
    header
}

fn packet(level: PdfaLevel) -> String {
    let (part, conformance) = match level {
        PdfaLevel::A1b => (1, 'B'),
        PdfaLevel::A2b => (2, 'B'),
        PdfaLevel::A2u => (2, 'U'),
        PdfaLevel::A3b => (3, 'B'),
    };
    format!(
        r#"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmp:CreateDate="2026-12-03T01:02:03Z">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title>
<pdfaid:part>{part}</pdfaid:part><pdfaid:conformance>{conformance}</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"#
    )
}

const CONTENT: &str = "/G gs /Perceptual ri /C cs 1 0 0 scn 0 0 1 1 re f 1 0 0 rg
/Span<</E<41>>>BDC q 9 0 0 9 0 0 cm /Im Do Q EMC
BI/W 1/H 1/BPC 8/CS/G ID x EI
BT /F 12 Tf <0024> Tj /T 12 Tf (A) Tj ET";

const TO_UNICODE: &str = "/CMapName/U def 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0023> <0025> <0040> endbfrange";

impl Sample {
    /// A file that conforms to a level: text in a composite and a TrueType font, images, a link, a field, and in 3b an attachment.
    pub(super) fn new(level: PdfaLevel) -> Self {
        let attached = match level {
            PdfaLevel::A3b => "/AF[20 0 R]/Names<</EmbeddedFiles<</Names[(a)20 0 R]>>>>",
            _ => "",
        };
        let value = |text: &str| Object(text.to_owned(), None);
        let stream = |members: &str, data: &[u8]| Object(members.to_owned(), Some(data.to_vec()));
        let mut objects = vec![
            value(&format!(
                "<</Type/Catalog/Pages 2 0 R/Metadata 3 0 R/OutputIntents[4 0 R]/AcroForm<</Fields[14 0 R]>>{attached}/Kind/Catalog>>"
            )),
            value("<</Type/Pages/Kids[6 0 R]/Count 1>>"),
            stream("/Type/Metadata/Subtype/XML", packet(level).as_bytes()),
            value(
                "<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/DestOutputProfile 5 0 R>>",
            ),
            stream("/N 3", &profile()),
            value(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 7 0 R/Annots[13 0 R 14 0 R]/Number 1/Text(a)/Kind/Page/Resources<</ColorSpace<</C[/ICCBased 5 0 R]>>/ExtGState<</G 10 0 R>>/XObject<</Im 11 0 R>>/Font<</F 8 0 R/T 12 0 R>>>>>>",
            ),
            stream("/Kind/Content", CONTENT.as_bytes()),
            value(
                "<</Type/Font/Subtype/Type0/BaseFont/DejaVuSans/Encoding/Identity-H/DescendantFonts[9 0 R]/ToUnicode 17 0 R>>",
            ),
            value(
                "<</Type/Font/Subtype/CIDFontType2/BaseFont/DejaVuSans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity/DW 600/W[36[684]]/FontDescriptor 15 0 R>>",
            ),
            value("<</Type/ExtGState/TR2/Default/RI/Saturation/BM/Normal/ca 1>>"),
            stream(
                "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceRGB/Interpolate false",
                b"xyz",
            ),
            value(
                "<</Type/Font/Subtype/TrueType/BaseFont/DejaVuSans/Encoding/WinAnsiEncoding/FirstChar 65/LastChar 65/Widths[684]/FontDescriptor 15 0 R>>",
            ),
            value("<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/F 4/A<</S/URI/URI(x)>>>>"),
            value(
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/F 4/AP<</N 18 0 R>>/Kind/Field>>",
            ),
            value("<</Type/FontDescriptor/FontName/DejaVuSans/Flags 32/FontFile2 16 0 R>>"),
            stream("", dejavu::sans::regular()),
            stream("", TO_UNICODE.as_bytes()),
            stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</ExtGState<</G 10 0 R>>>>/Kind/Form",
                b"/G gs 0 0 1 1 re f",
            ),
            value("<</Title(A & B)/CreationDate(D:20261203010203Z)>>"),
        ];
        if level == PdfaLevel::A3b {
            objects.push(value(
                "<</Type/Filespec/F(a.txt)/UF(a.txt)/AFRelationship/Data/EF<</F 21 0 R>>>>",
            ));
            objects.push(stream(
                "/Type/EmbeddedFile/Subtype/text#2Fplain/Params<</ModDate(D:2026)>>",
                b"a",
            ));
        }
        Self {
            head: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            objects,
            trailer: "/Info 19 0 R/ID[<01><02>]>>\nstartxref\nTABLE\n%%EOF\n".to_owned(),
        }
    }

    /// Replaces a text, which may be in any part.
    pub(super) fn replace(mut self, from: &str, to: &str) -> Self {
        let mut count = 0;
        let mut replace = |text: &mut String| {
            count += text.matches(from).count();
            *text = text.replace(from, to);
        };
        for Object(value, data) in &mut self.objects {
            replace(value);
            // Not in the font program.
            if let Some(data) = data
                && data.len() < 10_000
            {
                replace_bytes(data, &mut replace);
            }
        }
        replace(&mut self.trailer);
        replace_bytes(&mut self.head, &mut replace);
        assert_ne!(count, 0, "{from}");
        self
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut file = self.head.clone();
        let mut table = "0000000000 65535 f \n".to_owned();
        for (index, Object(value, data)) in self.objects.iter().enumerate() {
            table += &format!("{:010} 00000 n \n", file.len());
            file.extend(format!("{} 0 obj\n", index + 1).bytes());
            match data {
                Some(data) => {
                    file.extend(format!("<<{value}/Length {}>>stream\n", data.len()).bytes());
                    file.extend(data);
                    file.extend(b"\nendstream");
                }
                None => file.extend(value.bytes()),
            }
            file.extend(b"\nendobj\n");
        }
        let (at, size) = (file.len(), self.objects.len() + 1);
        let trailer = self.trailer.replace("TABLE", &at.to_string());
        file.extend(
            format!("xref\n0 {size}\n{table}trailer\n<</Root 1 0 R/Size {size}{trailer}").bytes(),
        );
        file
    }
}

/// Applies a change of text to bytes, each of which is a character.
fn replace_bytes(bytes: &mut Vec<u8>, replace: &mut impl FnMut(&mut String)) {
    let mut text = bytes.iter().map(|byte| char::from(*byte)).collect();
    replace(&mut text);
    let changed = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    *bytes = changed.collect();
}
