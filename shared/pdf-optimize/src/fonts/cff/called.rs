//! The parts that outlines share which some outlines call [Adobe Technical Note 5177]: a walk that knows only what it must to
//! tell numbers from operators.

use std::collections::BTreeSet;

use super::index::Index;

/// Deepest calls of parts in parts [5177, appendix B], and then some.
const DEPTH: u32 = 16;
/// Most numbers at once, and then some.
const NUMBERS: usize = 513;
/// Most bytes that are walked through: the outlines that stay take no longer to be read.
const STEPS: usize = 16 * 1024 * 1024;

/// The numbers of the parts that are called: of those for all fonts of a program, and of a font's own.
pub(super) struct Called<'a> {
    parts: [Option<Index<'a>>; 2],
    pub(super) everywhere: BTreeSet<u16>,
    pub(super) own: BTreeSet<u16>,
    left: usize,
}

/// Where the walk through an outline is.
#[derive(Default)]
struct Outline {
    /// Numbers that are known, of those that wait for their operator.
    numbers: Vec<Option<i32>>,
    stems: usize,
    is_over: bool,
}

impl<'a> Called<'a> {
    pub(super) fn none(everywhere: Index<'a>, own: Option<Index<'a>>) -> Self {
        Self {
            parts: [Some(everywhere), own],
            everywhere: BTreeSet::new(),
            own: BTreeSet::new(),
            left: STEPS,
        }
    }

    /// Notes what an outline calls; `None` if it is not understood.
    pub(super) fn add(&mut self, outline: &[u8]) -> Option<()> {
        self.walk(outline, &mut Outline::default(), 0)
    }

    fn walk(&mut self, code: &[u8], at: &mut Outline, depth: u32) -> Option<()> {
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
                    if at.is_over {
                        return Some(());
                    }
                }
                11 => return Some(()),
                14 => {
                    at.is_over = true;
                    // Four numbers say of which other two a glyph is put together.
                    return (at.numbers.len() < 4).then_some(());
                }
                // The four ways to draw two curves; others reckon.
                12 => match take(&mut rest)? {
                    [34..=37] => at.numbers.clear(),
                    _ => return None,
                },
                4..=8 | 21 | 22 | 24..=27 | 30 | 31 => at.numbers.clear(),
                _ => return None,
            }
        }
        Some(())
    }

    fn call(&mut self, is_own: bool, at: &mut Outline, depth: u32) -> Option<()> {
        let parts = self.parts.get(usize::from(is_own)).copied()??;
        let number = at.numbers.pop()??.checked_add(bias(parts.count))?;
        let number = u16::try_from(number).ok()?;
        let part = parts.bytes(number)?;
        match is_own {
            true => self.own.insert(number),
            false => self.everywhere.insert(number),
        };
        (depth < DEPTH).then_some(())?;
        self.walk(part, at, depth + 1)
    }
}

impl Outline {
    fn push(&mut self, number: Option<i32>) -> Option<()> {
        self.numbers.push(number);
        (self.numbers.len() <= NUMBERS).then_some(())
    }

    /// Every two numbers are a stem; an odd one is the width of the glyph.
    fn stems(&mut self) {
        self.stems += self.numbers.len() / 2;
        self.numbers.clear();
    }
}

/// What the numbers of parts are less by.
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
    use super::super::index::written;
    use super::*;

    #[test]
    fn parts_are_called_directly_and_by_each_other() {
        // The first calls the third of all, the second is not called, the third ends the outline.
        let own = written(&[&[141 - 107, 29, 11], &[11], &[14]]).unwrap();
        let everywhere = written(&[&[11], &[11], &[139, 139, 1, 11]]).unwrap();
        let indexes = (
            Index::at(&everywhere, 0).unwrap(),
            Index::at(&own, 0).unwrap(),
        );
        let mut called = Called::none(indexes.0, Some(indexes.1));
        // A stem by the part that is called, one beside the mask, and a mask that looks like a call.
        let outline = [139 - 107, 10, 139, 139, 19, 10, 141 - 107, 10, 10];
        called.add(&outline).unwrap();
        assert_eq!(called.own, [0, 2].into());
        assert_eq!(called.everywhere, [2].into());
        let of_others = [139, 139, 139, 139, 14];
        for broken in [
            &[10][..],
            &[143 - 107, 10],
            &[12, 20],
            &[28, 0],
            &[2],
            &of_others,
        ] {
            assert!(called.add(broken).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn a_circle_of_calls_ends() {
        let own = written(&[&[139 - 107, 10, 139 - 107, 10]]).unwrap();
        let none = written(&[]).unwrap();
        let mut called = Called::none(Index::at(&none, 0).unwrap(), Index::at(&own, 0));
        assert!(called.add(&[139 - 107, 10]).is_none());
    }
}
