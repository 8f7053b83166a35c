//! The text of a glyph by its name: the Adobe Glyph List, and the names of TeX's fonts, which are not in it.

use read_fonts::ps::agl;

/// Sizes and pieces of a symbol in TeX's fonts, as suffixes of its name.
const SIZES: [&str; 9] = [
    "bigg", "Bigg", "big", "Big", "text", "display", "widest", "wider", "wide",
];

/// Names in the Computer Modern and AMS fonts [AMSFonts 3] that the Adobe Glyph List does not have, sorted.
const TEX_NAMES: [(&str, char); 126] = [
    ("Ifractur", 'ℑ'),
    ("Rfractur", 'ℜ'),
    ("Yen", '¥'),
    ("angbracketleft", '⟨'),
    ("angbracketright", '⟩'),
    ("anticlockwise", '↺'),
    ("arrowbothv", '↕'),
    ("arrowbt", '↓'),
    ("arrowdblbothv", '⇕'),
    ("arrowdblbt", '⇓'),
    ("arrowdbltp", '⇑'),
    ("arrowhookleft", '↩'),
    ("arrowhookright", '↪'),
    ("arrowleftbothalf", '↽'),
    ("arrowlefttophalf", '↼'),
    ("arrownortheast", '↗'),
    ("arrownorthwest", '↖'),
    ("arrowrightbothalf", '⇁'),
    ("arrowrighttophalf", '⇀'),
    ("arrowsoutheast", '↘'),
    ("arrowsouthwest", '↙'),
    ("arrowtp", '↑'),
    ("arrowtripleleft", '⇚'),
    ("arrowtripleright", '⇛'),
    ("arrowvertexdbl", '‖'),
    ("bardbl", '∥'),
    ("bracehtipdownleft", '⏞'),
    ("bracehtipdownright", '⏞'),
    ("bracehtipupleft", '⏟'),
    ("bracehtipupright", '⏟'),
    ("ceilingleft", '⌈'),
    ("ceilingright", '⌉'),
    ("check", '✓'),
    ("circleR", '®'),
    ("circleS", 'Ⓢ'),
    ("circleasterisk", '⊛'),
    ("circlecopyrt", '◯'),
    ("circledivide", '⊘'),
    ("circledot", '⊙'),
    ("circleequal", '≗'),
    ("circleminus", '⊖'),
    ("circlering", '⊚'),
    ("clockwise", '↻'),
    ("complement", '∁'),
    ("contintegral", '∮'),
    ("coproduct", '∐'),
    ("dblarrowheadleft", '↞'),
    ("dblarrowheadright", '↠'),
    ("dblarrowup", '⇈'),
    ("dblbracketleft", '⟦'),
    ("dblbracketright", '⟧'),
    ("defines", '≜'),
    ("diamondmath", '⋄'),
    ("diamondsolid", '◆'),
    ("dotplus", '∔'),
    ("epsilon1", 'ϵ'),
    ("epsiloninv", '϶'),
    ("equalorfollows", '⋟'),
    ("equalorprecedes", '⋞'),
    ("equalsdots", '≑'),
    ("equivasymptotic", '≍'),
    ("flat", '♭'),
    ("floorleft", '⌊'),
    ("floorright", '⌋'),
    ("follows", '≻'),
    ("followsequal", '⪰'),
    ("followsorcurly", '≽'),
    ("forces", '⊩'),
    ("greaterdblequal", '≧'),
    ("greatermuch", '≫'),
    ("greaterorequalslant", '⩾'),
    ("greaterorsimilar", '≳'),
    ("harpoonleftright", '⇋'),
    ("harpoonrightleft", '⇌'),
    ("hat", 'ˆ'),
    ("intersectionsq", '⊓'),
    ("latticetop", '⊤'),
    ("lessdblequal", '≦'),
    ("lessmuch", '≪'),
    ("lessorequalslant", '⩽'),
    ("lessorsimilar", '≲'),
    ("lscript", 'ℓ'),
    ("maltesecross", '✠'),
    ("mapsto", '↦'),
    ("multimap", '⊸'),
    ("natural", '♮'),
    ("negationslash", '\u{338}'),
    ("owner", '∋'),
    ("pi1", 'ϖ'),
    ("polishlcross", '\u{337}'),
    ("precedesequal", '⪯'),
    ("precedesorcurly", '≼'),
    ("prime", '′'),
    ("radicalbt", '√'),
    ("radicaltp", '⎾'),
    ("radicalvertex", '⏐'),
    ("rho1", 'ϱ'),
    ("satisfies", '⊨'),
    ("sharp", '♯'),
    ("similarequal", '≃'),
    ("slurabove", '⌢'),
    ("slurbelow", '⌣'),
    ("squaredot", '⊡'),
    ("squaremultiply", '⊠'),
    ("squareplus", '⊞'),
    ("squaresolid", '■'),
    ("star", '⋆'),
    ("subsetsqequal", '⊑'),
    ("supersetsqequal", '⊒'),
    ("suppress", '\u{337}'),
    ("tie", '⁀'),
    ("triangle", '△'),
    ("triangleinv", '▽'),
    ("triangleleft", '◁'),
    ("triangleright", '▷'),
    ("trianglesolid", '▲'),
    ("turnstileleft", '⊢'),
    ("turnstileright", '⊣'),
    ("unionmulti", '⊎'),
    ("unionmultidisplay", '⨄'),
    ("unionsq", '⊔'),
    ("vector", '\u{20d7}'),
    ("vextenddouble", '‖'),
    ("vextendsingle", '⏐'),
    ("visiblespace", '␣'),
    ("wreathproduct", '≀'),
];
/// The glyphs `a0`, `a1` … of the font ITC Zapf Dingbats; a space where there is none.
const DINGBATS: &str = concat!(
    " ✁✂✄☎✆✝✞✟✠✡☛☞✌✍✎✏✑✒✓✔✕✖✗✘✙✚✛✜✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❑▲▼◆❖ ◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝",
    "❞❡❢❣❤✐❥❦❧♠♥♦♣    ✉✈✇①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→➣↔↕➙➛➜➝➞➟➠➡➢➤➥➦➧➨➩➫➭➯➲➳➵➸➺➻➼➽➾➚➪➶➹➘➴➷➬",
    "➮➱✃❐❒❮❰",
);

/// Characters of the private use area in the Adobe Glyph List: pieces of brackets from this code on, in this order.
const FIRST_PIECE: u32 = 0xf8e5;
const PIECES: &str = "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭";
/// Small capitals, old-style figures and small punctuation: the codes of their Latin-1 lower-case letters, plus this offset.
const SMALL_OFFSET: u32 = 0xf700;

/// Returns the text of a glyph; `None` if the name has no meaning, such as `g12` or `cid34`.
pub(crate) fn text(name: &str) -> Option<String> {
    // A suffix after a period selects a form of the same text.
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    if base.is_empty() {
        return None;
    }
    let parts = base.split('_').map(component);
    parts.collect::<Option<String>>()
}

/// Returns the text of a glyph of the font ITC Zapf Dingbats.
pub(super) fn dingbat(name: &str) -> Option<char> {
    let index = name.strip_prefix('a')?.parse().ok()?;
    DINGBATS.chars().nth(index).filter(|found| *found != ' ')
}

/// Returns the character that the Adobe Glyph List has for a character of its private use area.
pub(super) fn standard(character: char) -> char {
    let code = u32::from(character);
    let piece = code
        .checked_sub(FIRST_PIECE)
        .and_then(|index| PIECES.chars().nth(usize::try_from(index).ok()?));
    let small = code
        .checked_sub(SMALL_OFFSET)
        .filter(|code| (0x21..=0xff).contains(code))
        .and_then(char::from_u32);
    let other = match character {
        '\u{f6be}' => Some('ȷ'),
        '\u{f6d9}' => Some('©'),
        '\u{f6da}' => Some('®'),
        '\u{f6db}' => Some('™'),
        '\u{f6dc}' => Some('1'),
        _ => None,
    };
    piece.or(small).or(other).unwrap_or(character)
}

fn component(name: &str) -> Option<String> {
    if let Some(found) = tex_character(name) {
        return Some(found.to_string());
    }
    let found: String = agl::name_to_chars(name).map(standard).collect();
    if !found.is_empty() {
        return Some(found);
    }
    let base = SIZES.iter().find_map(|size| name.strip_suffix(size))?;
    match tex_character(base) {
        Some(found) => Some(found.to_string()),
        None => agl::name_to_char(base).map(|found| standard(found).to_string()),
    }
}

fn tex_character(name: &str) -> Option<char> {
    let index = TEX_NAMES.binary_search_by_key(&name, |(known, _)| known);
    TEX_NAMES.get(index.ok()?).map(|(_, character)| *character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tex_are_sorted_and_not_in_the_adobe_list() {
        assert!(TEX_NAMES.is_sorted_by(|(name, _), (next, _)| name < next));
        for (name, _) in TEX_NAMES {
            assert_eq!(agl::name_to_char(name), None, "{name}");
        }
    }

    #[test]
    fn symbols_have_one_text_in_all_sizes() {
        let cases = [
            ("summationdisplay", "∑"),
            ("parenleftbigg", "("),
            ("bracketleftBigg", "["),
            ("radicalBig", "√"),
            ("floorleftbig", "⌊"),
            ("tildewider", "˜"),
            ("unionmultitext", "⊎"),
            ("circlecopyrt", "◯"),
            ("vextendsingle", "⏐"),
            ("parenlefttp", "⎛"),
            ("copyrightserif", "©"),
        ];
        for (name, expected) in cases {
            assert_eq!(text(name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn suffixes_and_components_follow_the_adobe_rules() {
        assert_eq!(text("a.alt").as_deref(), Some("a"));
        assert_eq!(text("f_f_i.liga").as_deref(), Some("ffi"));
        assert_eq!(text("uni004100E9").as_deref(), Some("Aé"));
        assert_eq!(text("u1F600").as_deref(), Some("😀"));
        assert_eq!(text("Asmall").as_deref(), Some("a"));
        assert_eq!(text("threeoldstyle").as_deref(), Some("3"));
    }

    #[test]
    fn names_without_meaning_have_no_text() {
        for name in [
            "", ".notdef", "g12", "cid34", "glyph7", "big", "f_g99", "a_",
        ] {
            assert_eq!(text(name), None, "{name}");
        }
    }
}
