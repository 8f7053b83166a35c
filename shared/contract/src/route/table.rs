//! The rows of the table of routes, one file per Lambda function.

mod account;
mod compat;
mod documents;
mod files;
mod hooks;
mod jobs;
mod site;

use super::Route;

/// The rows of each function.
const PARTS: [&[Route]; 7] = [
    jobs::ROUTES,
    compat::ROUTES,
    files::ROUTES,
    documents::ROUTES,
    account::ROUTES,
    hooks::ROUTES,
    site::ROUTES,
];

/// Every route.
pub const ROUTES: &[Route] = &joined();

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn count() -> usize {
    let (mut part, mut count) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
}

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn joined() -> [Route; count()] {
    let mut all = [PARTS[0][0]; count()];
    let (mut part, mut next) = (0, 0);
    while part < PARTS.len() {
        let mut row = 0;
        while row < PARTS[part].len() {
            all[next] = PARTS[part][row];
            (row, next) = (row + 1, next + 1);
        }
        part += 1;
    }
    all
}
