//! Rows by the space above them: within a cell lines are nearer to each other than rows are.

/// How much unlike distances are that are the same, and how much larger those above rows are, in parts of the least one.
const SAME: f32 = 1.03;
const MORE: f32 = 1.07;

/// Which lines rows begin with, by the places of all lines from top to bottom; none where distances do not say so. `is_part`
/// is whether a line, given the first one of its row, may be the rest of that row.
pub(super) fn starts(
    places: &[f32],
    size: f32,
    is_part: impl Fn(usize, usize) -> bool,
) -> Option<Vec<bool>> {
    let steps: Vec<f32> = places
        .windows(2)
        .filter_map(|pair| Some(pair.get(1)? - pair.first()?))
        .collect();
    let least = steps
        .iter()
        .copied()
        .filter(|step| *step > size * 0.8)
        .fold(f32::INFINITY, f32::min);
    let far = steps.iter().filter(|step| **step > least * MORE).count();
    let near = steps
        .iter()
        .filter(|step| **step <= least * SAME + 0.2)
        .count();
    if near == 0 || far < 2 || near + far < steps.len() {
        return None;
    }
    let mut starts = vec![true];
    let mut first = 0;
    for (index, step) in steps.iter().enumerate() {
        let is_start = *step > least * MORE;
        if is_start {
            first = index + 1;
        } else if !is_part(first, index + 1) {
            return None;
        }
        starts.push(is_start);
    }
    Some(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_nearer_go_on_with_the_row_above() {
        let places = [10.0, 24.0, 36.0, 50.0, 64.0, 76.0];
        let found = starts(&places, 10.0, |_, _| true);
        assert_eq!(found, Some(vec![true, true, false, true, true, false]));
        assert_eq!(
            starts(&places, 10.0, |first, line| (first, line) != (1, 2)),
            None
        );
    }

    #[test]
    fn equal_distances_say_nothing() {
        assert_eq!(starts(&[10.0, 22.0, 34.0, 46.0], 10.0, |_, _| true), None);
        assert_eq!(starts(&[10.0], 10.0, |_, _| true), None);
        assert_eq!(starts(&[], 10.0, |_, _| true), None);
    }
}
