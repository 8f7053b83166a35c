//! The LaTeX of single characters. Commands are preferred to signs that are markup in Markdown. Both forms of phi are left out: in
//! TeX's fonts, either of their codes may be either form.

/// Greek letters and the names of their commands.
const GREEK: &str = "
    α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda
    μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi
    Σ Sigma Φ Phi Ψ Psi Ω Omega
";

/// Signs and the names of their commands.
const SIGNS: &str = "
    { lbrace } rbrace ⟨ langle ⟩ rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor | vert ∣ vert ‖ Vert ∥ Vert ≤ le ⩽ leqslant
    ≥ ge ⩾ geqslant ≪ ll ≫ gg ≠ ne ≈ approx ≡ equiv ≅ cong ≃ simeq ∼ sim ∝ propto ± pm ∓ mp × times ÷ div · cdot
    ⋅ cdot ∘ circ * ast ∗ ast ⊕ oplus ⊗ otimes ∈ in ∉ notin ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap
    ∧ wedge ∨ vee ⊥ perp ⊤ top → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow ↦ mapsto ∀ forall
    ∃ exists ∂ partial ∇ nabla ∞ infty ∅ emptyset ℓ ell ′ prime … ldots ⋯ cdots
";

/// Returns the LaTeX of a character, if it has exactly one.
pub(super) fn of(character: char) -> Option<String> {
    let character = plain_letter(character);
    match character {
        '−' => Some("-".to_owned()),
        // Without spaces, it may begin a tag.
        '<' | '>' => Some(format!(" {character} ")),
        '0'..='9' | 'A'..='Z' | 'a'..='z' => Some(character.to_string()),
        '+' | '-' | '=' | '(' | ')' | '[' | ']' | ',' | '.' | ';' | ':' | '/' => {
            Some(character.to_string())
        }
        _ => command(GREEK, character).or_else(|| command(SIGNS, character)),
    }
}

/// Whether a character is a Greek letter that LaTeX has a command for.
pub(super) fn is_greek(character: char) -> bool {
    command(GREEK, plain_letter(character)).is_some()
}

fn command(table: &str, character: char) -> Option<String> {
    let mut words = table.split_ascii_whitespace();
    while let (Some(known), Some(name)) = (words.next(), words.next()) {
        if known.starts_with(character) {
            return Some(format!("\\{name}"));
        }
    }
    None
}

/// Returns the letter that an italic mathematical one or a symbol is.
pub(super) fn plain_letter(character: char) -> char {
    let code = u32::from(character);
    let letter = match code {
        0xb5 => Some(u32::from('μ')),
        0x2126 => Some(u32::from('Ω')),
        0x210e => Some(u32::from('h')),
        // Not assigned: h is the one above.
        0x1d455 => None,
        0x1d434..=0x1d44d => Some(code - 0x1d434 + u32::from('A')),
        0x1d44e..=0x1d467 => Some(code - 0x1d44e + u32::from('a')),
        0x1d6e2..=0x1d6fa => Some(code - 0x1d6e2 + u32::from('Α')),
        0x1d6fc..=0x1d714 => Some(code - 0x1d6fc + u32::from('α')),
        _ => None,
    };
    letter.and_then(char::from_u32).unwrap_or(character)
}
