//! Checks for cyclic imports: no modules of a crate may import each other, except a parent and its children.

use std::path::Path;

use cargo_metadata::MetadataCommand;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use crate::modules::{File, Modules};
use crate::{Outcome, outcome};

/// Graph of imports between files.
type Imports<'a> = DiGraphMap<&'a File, ()>;

/// Fails with every import cycle of every target of the workspace.
pub(crate) fn check(root: &Path) -> Outcome {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| vec![format!("cargo metadata: {error}")])?;
    let mut faults = Vec::new();
    for target in metadata
        .packages
        .iter()
        .flat_map(|package| &package.targets)
    {
        let cycles = cycles_of(target.src_path.as_std_path())?;
        faults.extend(
            cycles
                .iter()
                .map(|cycle| format!("{}:{cycle}", target.name)),
        );
    }
    outcome(faults)
}

/// The import cycles of the target with this root file.
fn cycles_of(root: &Path) -> Result<Vec<String>, Vec<String>> {
    let modules = Modules::read(root).map_err(|error| vec![error])?;
    let imports: Imports = modules
        .imports()
        .filter(|(file, other)| file != other)
        .collect();
    let cycles = cycles(&imports);
    Ok(cycles
        .iter()
        .map(|cycle| describe(cycle, &imports))
        .collect())
}

/// Groups of files that import each other; the common parent of a group is ignored.
fn cycles<'a>(imports: &Imports<'a>) -> Vec<Vec<&'a File>> {
    let mut all = Vec::new();
    for mut cycle in tarjan_scc(imports) {
        let is_parent = |file: &&File| cycle.iter().all(|other| other.starts_with(file));
        if let Some(parent) = cycle.iter().position(is_parent) {
            cycle.swap_remove(parent);
            let within = |file| cycle.contains(&file);
            let edges = imports.all_edges();
            let edges = edges.filter(|(from, to, ())| within(*from) && within(*to));
            all.extend(cycles(&edges.collect()));
        } else {
            all.push(cycle);
        }
    }
    all
}

fn describe(cycle: &[&File], imports: &Imports) -> String {
    let path = |file: &File| format!("crate::{}", file.join("::"));
    let lines = cycle.iter().map(|file| {
        let imported = imports
            .neighbors(file)
            .filter(|other| cycle.contains(other));
        let imported: Vec<_> = imported.map(path).collect();
        format!("\n  {} imports {}", path(file), imported.join(", "))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_siblings_are_found_through_re_exports_and_with_their_parent() {
        let directory = tempfile::tempdir().unwrap();
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            (
                "a.rs",
                "mod x; mod y; pub use x::X; pub use self::y::{Y as Z, f}; pub struct A;",
            ),
            ("a/x.rs", "use super::{A, Z}; pub struct X(A, Z);"),
            ("a/y.rs", "pub struct Y; pub fn f() { let x: super::X; }"),
            ("b.rs", "use crate::c; struct B(c::C);"),
            (
                "c.rs",
                "pub struct C; #[cfg(test)] mod tests { use crate::b::B; }",
            ),
        ];
        std::fs::create_dir(directory.path().join("a")).unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        let cycles = cycles_of(&directory.path().join("lib.rs")).unwrap();
        let [cycle] = cycles.as_slice() else {
            panic!("{cycles:?}");
        };
        assert!(cycle.contains("crate::a::x imports crate::a::y"));
        assert!(cycle.contains("crate::a::y imports crate::a::x"));
    }
}
