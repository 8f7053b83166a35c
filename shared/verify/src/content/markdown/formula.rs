//! Reads the formulas of results: LaTeX between dollars, of letters, signs, scripts and the commands below.

/// The names of commands and their characters.
const COMMANDS: &str = "
    Delta Δ Gamma Γ Lambda Λ Leftrightarrow ⇔ Omega Ω Phi Φ Pi Π Psi Ψ Rightarrow ⇒ Sigma Σ Theta Θ Vert ‖ Xi Ξ
    alpha α approx ≈ ast * beta β cap ∩ cdot · cdots ⋯ chi χ circ ∘ cong ≅ cup ∪ delta δ div ÷ ell ℓ emptyset ∅
    epsilon ϵ equiv ≡ eta η exists ∃ forall ∀ gamma γ ge ≥ geqslant ⩾ gg ≫ in ∈ infty ∞ iota ι kappa κ lambda λ
    langle ⟨ lbrace { lceil ⌈ ldots … le ≤ leftarrow ← leftrightarrow ↔ leqslant ⩽ lfloor ⌊ ll ≪ mapsto ↦ mp ∓ mu μ
    nabla ∇ ne ≠ notin ∉ nu ν omega ω oplus ⊕ otimes ⊗ partial ∂ perp ⊥ pi π pm ± prime ′ propto ∝ psi ψ rangle ⟩
    rbrace } rceil ⌉ rfloor ⌋ rho ρ sigma σ sim ∼ simeq ≃ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ tau τ theta θ
    times × top ⊤ to → upsilon υ varepsilon ε vartheta ϑ vee ∨ vert ∣ wedge ∧ xi ξ zeta ζ
";

/// Returns the text of the formula that a text begins with, and the length of the formula in bytes. What has another syntax, or
/// letters with a space between them, is no formula.
pub(super) fn read(text: &str) -> Option<(String, usize)> {
    let (formula, _) = text.strip_prefix('$')?.split_once('$')?;
    let is_open = formula.starts_with(' ') || formula.ends_with(' ');
    if is_open || !formula.contains(['^', '_']) {
        return None;
    }
    let (mut words, mut rest) = (String::new(), formula);
    let is_letter = |sign: char| sign.is_ascii_alphabetic();
    let (mut depth, mut follows_letter) = (0_usize, false);
    while let Some(sign) = rest.chars().next() {
        let after = rest.get(sign.len_utf8()..)?;
        rest = after;
        match sign {
            '\\' if let Some(name) = after.strip_prefix("mathrm{") => {
                (depth, rest) = (depth + 1, name);
            }
            '\\' => {
                let end = after.find(|sign| !is_letter(sign));
                let (name, behind) = after.split_at_checked(end.unwrap_or(after.len()))?;
                words.push_str(character(name)?);
                // A space that ends the command.
                let letter = behind
                    .strip_prefix(' ')
                    .filter(|rest| rest.starts_with(is_letter));
                rest = letter.unwrap_or(behind);
            }
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            '^' | '_' => {}
            ' ' if follows_letter && after.starts_with(is_letter) => return None,
            _ if sign.is_ascii_alphanumeric() || " +-=<>()[],.;:/".contains(sign) => {
                words.push(sign)
            }
            _ => return None,
        }
        follows_letter = is_letter(sign);
    }
    (depth == 0).then_some((words, formula.len() + 2))
}

fn character(name: &str) -> Option<&'static str> {
    let mut words = COMMANDS.split_ascii_whitespace();
    while let (Some(known), Some(character)) = (words.next(), words.next()) {
        if known == name {
            return Some(character);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use layout::writers::{Metadata, NoPictures, markdown};
    use layout::{Alignment, Basis, Block, Content, Page, Run, Script, Size, Style};

    use super::read;
    use crate::content::words::{Token, WordSplitter};

    /// Writes a variable with a subscript as Markdown.
    fn written(subscript: &str) -> String {
        let run = |text: &str, script| Run {
            text: text.to_owned(),
            style: Style {
                italic: true,
                script,
                ..Style::default()
            },
            link: None,
        };
        let paragraph = Content::Paragraph {
            runs: vec![run("x", Script::None), run(subscript, Script::Sub)],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        };
        let mut made = Vec::new();
        let mut writer = markdown(&mut made, &Metadata::default(), &NoPictures).unwrap();
        let page = Page {
            number: 1,
            size: Size::default(),
            basis: Basis::Geometry,
            header: Vec::new(),
            blocks: vec![Block::from(paragraph)],
            footer: Vec::new(),
        };
        writer.page(page).unwrap();
        writer.finish().unwrap();
        String::from_utf8(made).unwrap()
    }

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        WordSplitter::default().split(text, &mut |token| {
            if let Token::Word(word) = token {
                words.push(word.to_owned());
            }
        });
        words
    }

    #[test]
    fn formulas_have_the_words_that_were_written() {
        let mut count = 0;
        for sign in ('!'..='\u{2bff}').chain('\u{1d400}'..='\u{1d7ff}') {
            let made = written(&format!("{sign}a"));
            if !made.starts_with('$') {
                continue;
            }
            let (text, _) = read(&made).unwrap_or_else(|| panic!("{made}"));
            assert_eq!(words(&text), words(&format!("x{sign}a")), "{made}");
            count += 1;
        }
        assert!(count > 200, "{count}");
    }

    #[test]
    fn formulas_are_their_characters() {
        for (latex, expected) in [
            ("$x_i^2$", "xi2"),
            ("$a_nx_n$", "anxn"),
            ("$\\alpha x_{ij}+\\beta^{\\mathrm{max}}$ is", "αxij+βmax"),
            ("$f(x_1) \\in \\lbrace 0, 1\\rbrace^n$.", "f(x1) ∈ { 0, 1}n"),
            ("$\\vert x_i\\vert < 3$", "∣xi∣ < 3"),
        ] {
            let (words, length) = read(latex).unwrap();
            assert_eq!(words, expected);
            assert!(latex.get(..length).unwrap().ends_with('$'), "{latex}");
        }
    }

    #[test]
    fn other_text_between_dollars_is_no_formula() {
        for text in [
            "$5 and 6$",
            "$x$",
            "$ x_i$",
            "$x_i $",
            "$a_b is_c$",
            "$\\unknown_i$",
            "$x_{i$",
            "$x_é$",
            "$x_i",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
