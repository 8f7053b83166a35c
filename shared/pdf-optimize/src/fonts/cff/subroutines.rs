//! Finds the subroutines that charstrings call [Adobe Technical Note 5177], by an interpreter that only tracks operands and
//! stem hints.

use std::collections::BTreeSet;

use super::index::Index;

/// Maximum nesting of subroutine calls, above the limit of 10 [5177, appendix B].
const MAX_DEPTH: u32 = 16;
/// Maximum operands on the stack, above the limit of the specification.
const MAX_OPERANDS: usize = 513;
/// Maximum bytes interpreted, to bound the time.
const MAX_STEPS: usize = 16 * 1024 * 1024;

/// Indices of the subroutines that are called, global and local.
pub(super) struct SubroutineUsage<'a> {
    subroutines: [Option<Index<'a>>; 2],
    pub(super) global: BTreeSet<u16>,
    pub(super) local: BTreeSet<u16>,
    left: usize,
}

/// State of the interpreter within a charstring.
#[derive(Default)]
struct Interpreter {
    /// Operand stack; `None` for operands of unknown value.
    operands: Vec<Option<i32>>,
    stems: usize,
    is_finished: bool,
}

impl<'a> SubroutineUsage<'a> {
    pub(super) fn new(global: Index<'a>, local: Option<Index<'a>>) -> Self {
        Self {
            subroutines: [Some(global), local],
            global: BTreeSet::new(),
            local: BTreeSet::new(),
            left: MAX_STEPS,
        }
    }

    /// Records the subroutines that a charstring calls; `None` if it cannot be parsed.
    pub(super) fn add(&mut self, outline: &[u8]) -> Option<()> {
        self.walk(outline, &mut Interpreter::default(), 0)
    }

    fn walk(&mut self, code: &[u8], at: &mut Interpreter, depth: u32) -> Option<()> {
        let mut rest = code;
        while let Some((first, after)) = rest.split_first() {
            self.left = self.left.checked_sub(1)?;
            rest = after;
            match *first {
                28 => at.push(Some(i32::from(i16::from_be_bytes(take(&mut rest)?))))?,
                32..=246 => at.push(Some(i32::from(*first) - 139))?,
                247..=250 => {
                    let [low] = take(&mut rest)?;
                    at.push(Some((i32::from(*first) - 247) * 256 + i32::from(low) + 108))?;
                }
                251..=254 => {
                    let [low] = take(&mut rest)?;
                    at.push(Some((251 - i32::from(*first)) * 256 - i32::from(low) - 108))?;
                }
                255 => {
                    take::<4>(&mut rest)?;
                    at.push(None)?;
                }
                1 | 3 | 18 | 23 => at.stems(),
                19 | 20 => {
                    at.stems();
                    rest = rest.get(at.stems.div_ceil(8)..)?;
                }
                10 | 29 => {
                    self.call(*first == 10, at, depth)?;
                    if at.is_finished {
                        return Some(());
                    }
                }
                11 => return Some(()),
                14 => {
                    at.is_finished = true;
                    // With four operands, `endchar` composes the glyph of two others (seac).
                    return (at.operands.len() < 4).then_some(());
                }
                // The four flex operators; arithmetic operators are not supported.
                12 => match take(&mut rest)? {
                    [34..=37] => at.operands.clear(),
                    _ => return None,
                },
                4..=8 | 21 | 22 | 24..=27 | 30 | 31 => at.operands.clear(),
                _ => return None,
            }
        }
        Some(())
    }

    fn call(&mut self, is_local: bool, at: &mut Interpreter, depth: u32) -> Option<()> {
        let subroutines = self.subroutines.get(usize::from(is_local)).copied()??;
        let number = at.operands.pop()??.checked_add(bias(subroutines.count))?;
        let number = u16::try_from(number).ok()?;
        let subroutine = subroutines.bytes(number)?;
        match is_local {
            true => self.local.insert(number),
            false => self.global.insert(number),
        };
        (depth < MAX_DEPTH).then_some(())?;
        self.walk(subroutine, at, depth + 1)
    }
}

impl Interpreter {
    fn push(&mut self, number: Option<i32>) -> Option<()> {
        self.operands.push(number);
        (self.operands.len() <= MAX_OPERANDS).then_some(())
    }

    /// Counts stem hints: two operands each; an odd one is the glyph width.
    fn stems(&mut self) {
        self.stems += self.operands.len() / 2;
        self.operands.clear();
    }
}

/// Returns the bias added to subroutine numbers.
fn bias(count: u16) -> i32 {
    match count {
        0..1240 => 107,
        1240..33_900 => 1131,
        _ => 32_768,
    }
}

fn take<const COUNT: usize>(rest: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use super::super::index::serialize;
    use super::*;

    #[test]
    fn direct_and_nested_calls_are_found() {
        // Local subroutine 0 calls global 2; local 1 is not called; local 2 ends the charstring.
        let local = serialize(&[&[141 - 107, 29, 11], &[11], &[14]]).unwrap();
        let global = serialize(&[&[11], &[11], &[139, 139, 1, 11]]).unwrap();
        let indexes = (
            Index::at(&global, 0).unwrap(),
            Index::at(&local, 0).unwrap(),
        );
        let mut usage = SubroutineUsage::new(indexes.0, Some(indexes.1));
        // A stem in a called subroutine, another before the hint mask, and mask bytes that look like a call.
        let outline = [139 - 107, 10, 139, 139, 19, 10, 141 - 107, 10, 10];
        usage.add(&outline).unwrap();
        assert_eq!(usage.local, [0, 2].into());
        assert_eq!(usage.global, [2].into());
        let seac = [139, 139, 139, 139, 14];
        for broken in [
            &[10][..],
            &[143 - 107, 10],
            &[12, 20],
            &[28, 0],
            &[2],
            &seac,
        ] {
            assert!(usage.add(broken).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn recursive_calls_are_rejected() {
        let local = serialize(&[&[139 - 107, 10, 139 - 107, 10]]).unwrap();
        let none = serialize(&[]).unwrap();
        let mut usage = SubroutineUsage::new(Index::at(&none, 0).unwrap(), Index::at(&local, 0));
        assert!(usage.add(&[139 - 107, 10]).is_none());
    }
}
