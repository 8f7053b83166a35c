//! Import circles: no modules of a crate import each other, other than a parent and its own children.

use std::path::Path;

use cargo_metadata::MetadataCommand;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use crate::modules::{File, Modules};
use crate::{Outcome, outcome};

/// Which file imports from which.
type Imports<'a> = DiGraphMap<&'a File, ()>;

/// Fails with every circle of every target of the workspace.
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
        let circles = circles_of(target.src_path.as_std_path())?;
        faults.extend(
            circles
                .iter()
                .map(|circle| format!("{}:{circle}", target.name)),
        );
    }
    outcome(faults)
}

/// The circles of the target whose root is this file.
fn circles_of(root: &Path) -> Result<Vec<String>, Vec<String>> {
    let modules = Modules::read(root).map_err(|error| vec![error])?;
    let imports: Imports = modules
        .imports()
        .filter(|(file, other)| file != other)
        .collect();
    let circles = circles(&imports);
    Ok(circles
        .iter()
        .map(|circle| describe(circle, &imports))
        .collect())
}

/// Groups of files that import each other; a file around all others of its group does not count.
fn circles<'a>(imports: &Imports<'a>) -> Vec<Vec<&'a File>> {
    let mut all = Vec::new();
    for mut circle in tarjan_scc(imports) {
        let is_parent = |file: &&File| circle.iter().all(|other| other.starts_with(file));
        if let Some(parent) = circle.iter().position(is_parent) {
            circle.swap_remove(parent);
            let within = |file| circle.contains(&file);
            let edges = imports.all_edges();
            let edges = edges.filter(|(from, to, ())| within(*from) && within(*to));
            all.extend(circles(&edges.collect()));
        } else {
            all.push(circle);
        }
    }
    all
}

fn describe(circle: &[&File], imports: &Imports) -> String {
    let path = |file: &File| format!("crate::{}", file.join("::"));
    let lines = circle.iter().map(|file| {
        let imported = imports
            .neighbors(file)
            .filter(|other| circle.contains(other));
        let imported: Vec<_> = imported.map(path).collect();
        format!("\n  {} imports {}", path(file), imported.join(", "))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_in_a_circle_are_found_behind_re_exports_and_beside_their_parent() {
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
        let circles = circles_of(&directory.path().join("lib.rs")).unwrap();
        let [circle] = circles.as_slice() else {
            panic!("{circles:?}");
        };
        assert!(circle.contains("crate::a::x imports crate::a::y"));
        assert!(circle.contains("crate::a::y imports crate::a::x"));
    }
}
