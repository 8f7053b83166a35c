//! Connected components of a bitmap (8-connectivity).

/// Calls `visit` with the number of each component, from 0, and each of its cells, one component after the other, and returns
/// the number of components. Cells are cleared once they are queued, so that the queue has at most as many entries as the bitmap.
pub(super) fn visit_components(
    cells: &mut [bool],
    width: usize,
    mut visit: impl FnMut(usize, usize),
) -> usize {
    let (mut count, mut queue) = (0, Vec::new());
    for first in 0..cells.len() {
        if !take(cells, first) {
            continue;
        }
        queue.push(first);
        while let Some(cell) = queue.pop() {
            visit(count, cell);
            let (column, row) = (cell % width, cell / width);
            let columns = column.saturating_sub(1)..(column + 2).min(width);
            for row in row.saturating_sub(1)..row + 2 {
                let neighbors = columns.clone().map(|column| row * width + column);
                queue.extend(neighbors.filter(|neighbor| take(cells, *neighbor)));
            }
        }
        count += 1;
    }
    count
}

/// Clears a cell and returns whether it was set.
fn take(cells: &mut [bool], cell: usize) -> bool {
    cells.get_mut(cell).is_some_and(std::mem::take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_is_visited_once_with_its_component() {
        let rows = ["#.#..", "###..", "....#", "#..#."];
        let mut cells: Vec<bool> = rows.concat().chars().map(|cell| cell == '#').collect();
        let mut found = vec![Vec::new(); 3];
        let count = visit_components(&mut cells, 5, |component, cell| found[component].push(cell));
        found.iter_mut().for_each(|cells| cells.sort_unstable());
        assert_eq!(count, 3);
        assert_eq!(found, [vec![0, 2, 5, 6, 7], vec![14, 18], vec![15]]);
    }
}
