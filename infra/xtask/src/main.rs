//! Development tasks: `cargo xtask <task>`.
#![allow(clippy::print_stderr, clippy::indexing_slicing)]

mod agreement;
mod breaking;
mod conversions;
mod crates;
mod events;
mod generated;
mod imports;
mod modules;
mod openapi;
mod options;
mod packages;
mod release;
mod schemas;
mod tables;
mod template;
mod text;

use std::path::Path;
use std::process::ExitCode;

type Outcome = Result<(), Vec<String>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["check"] => check(),
        ["conversions"] => conversions::write(root()),
        ["openapi"] => openapi::write(root()),
        ["release"] => release::write(root()),
        ["schemas"] => schemas::write(root()),
        ["tables"] => tables::write(root()),
        ["template"] => template::write(root()),
        _ => Err(vec![
            "usage: cargo xtask check | conversions | openapi | release | schemas | tables | template"
                .to_owned(),
        ]),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(faults) => {
            for fault in faults {
                eprintln!("{fault}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Checks that generated files are up to date and that duplicated declarations agree.
fn check() -> Outcome {
    let outcomes = [
        crates::check(root()),
        openapi::check(root()),
        conversions::check(root()),
        release::check(root()),
        tables::check(root()),
        template::check(root()),
        agreement::check(root()),
        events::check(root()),
        schemas::check(root()),
        packages::check(root()),
        imports::check(root()),
    ];
    let faults: Vec<_> = outcomes
        .into_iter()
        .filter_map(Result::err)
        .flatten()
        .collect();
    outcome(faults)
}

fn outcome(faults: Vec<String>) -> Outcome {
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
