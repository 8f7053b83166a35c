//! Parses the modules of a crate, without tests: declared items and used paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// Module path of a file, from the crate's root.
pub(crate) type File = Vec<String>;

/// Keywords that precede the name of a declared item.
const DECLARING: &[&str] = &[
    "const", "enum", "fn", "static", "struct", "trait", "type", "union",
];

#[derive(Default)]
pub(crate) struct Modules(BTreeMap<Vec<String>, Module>);

/// A module; an inline module belongs to the file of its parent.
#[derive(Default)]
struct Module {
    file: File,
    items: BTreeSet<String>,
    /// Path of each imported name.
    imports: BTreeMap<String, Vec<String>>,
    paths: Vec<Vec<String>>,
}

enum Found {
    Module(Vec<String>),
    /// An item, declared in this file.
    Item(File),
}

impl Modules {
    /// Parses the modules of a crate with this root file; returns none if the file does not exist.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let mut modules = Self::default();
        modules.read_file(&[], root, root.parent().unwrap_or(root))?;
        Ok(modules)
    }

    /// Pairs of importing and imported file.
    pub(crate) fn imports(&self) -> impl Iterator<Item = (&File, &File)> {
        self.0.iter().flat_map(move |(path, module)| {
            let named = module.imports.values().chain(&module.paths);
            named.filter_map(move |named| match self.resolve(path, named, 16)? {
                Found::Item(file) => Some((&module.file, self.0.get_key_value(&file)?.0)),
                Found::Module(_) => None,
            })
        })
    }

    /// All used paths, as written.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Vec<String>> {
        self.0
            .values()
            .flat_map(|module| module.imports.values().chain(&module.paths))
    }

    fn read_file(&mut self, module: &[String], file: &Path, children: &Path) -> Result<(), String> {
        let Ok(text) = std::fs::read_to_string(file) else {
            return Ok(());
        };
        let tokens = text.parse::<TokenStream>();
        let tokens = tokens.map_err(|error| format!("{}: {error}", file.display()))?;
        for name in self.walk(module, module, tokens, true) {
            let file = children.join(format!("{name}.rs"));
            self.read_file(&joined(module, &name), &file, &children.join(&name))?;
        }
        Ok(())
    }

    /// Records the declarations and paths in a module's tokens; returns its submodules that have their own file.
    fn walk(
        &mut self,
        module: &[String],
        file: &[String],
        tokens: TokenStream,
        is_top: bool,
    ) -> Vec<String> {
        self.own(module).file = file.to_vec();
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut rest, mut children) = (tokens.as_slice(), Vec::new());
        while let [token, after @ ..] = rest {
            let all = std::mem::replace(&mut rest, after);
            let TokenTree::Ident(word) = token else {
                if let TokenTree::Group(group) = token {
                    if group.to_string() == "[cfg (test)]" {
                        rest = tokens_after(after, |token| token == ";" || token.starts_with('{'));
                    } else {
                        self.walk(module, file, group.stream(), false);
                    }
                }
                continue;
            };
            match (word.to_string().as_str(), after) {
                ("mod", [TokenTree::Ident(name), TokenTree::Group(body), ..]) => {
                    let inner = joined(module, &name.to_string());
                    self.walk(&inner, file, body.stream(), true);
                    rest = tokens_after(after, |token| token.starts_with('{'));
                }
                ("mod", [TokenTree::Ident(name), ..]) => children.push(name.to_string()),
                ("use", [TokenTree::Ident(_), ..]) => {
                    rest = tokens_after(after, |token| token == ";");
                    self.import(module, &[], &after[..after.len() - rest.len()]);
                }
                (word, [TokenTree::Ident(name), ..]) if is_top && DECLARING.contains(&word) => {
                    self.own(module).items.insert(name.to_string());
                }
                _ => {
                    let (path, end) = path(all);
                    self.own(module).paths.push(path);
                    rest = end;
                }
            }
        }
        children
    }

    fn own(&mut self, module: &[String]) -> &mut Module {
        self.0.entry(module.to_vec()).or_default()
    }

    /// Records the imports of a `use` tree with the path prefix `before`.
    fn import(&mut self, module: &[String], before: &[String], tree: &[TokenTree]) {
        for branch in tree.split(|token| matches!(token.to_string().as_str(), "," | ";")) {
            let (path, rest) = path(branch);
            let mut path = [before, &path].concat();
            if path.len() > 1 && path.ends_with(&["self".to_owned()]) {
                path.pop();
            }
            let name = match rest {
                [.., TokenTree::Group(group)] => {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    self.import(module, &path, &inner);
                    continue;
                }
                [_as, alias] => Some(alias.to_string()),
                _ => path.last().cloned(),
            };
            let imports = &mut self.own(module).imports;
            imports.extend(name.map(|name| (name, path)));
        }
    }

    /// Resolves a path used in a module; `None` if it leaves the crate.
    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => Found::Module(Vec::new()),
            "self" => Found::Module(module.to_vec()),
            "super" => Found::Module(module.split_last()?.1.to_vec()),
            name => self.look_up(module, name, depth)?,
        };
        for name in rest {
            let Found::Module(module) = &found else { break };
            let unknown = || Found::Item(self.0[module].file.clone());
            found = match name.as_str() {
                "super" => Found::Module(module.split_last()?.1.to_vec()),
                name => self.look_up(module, name, depth).unwrap_or_else(unknown),
            };
        }
        Some(found)
    }

    fn look_up(&self, module: &[String], name: &str, depth: usize) -> Option<Found> {
        let (own, child) = (self.0.get(module)?, joined(module, name));
        if self.0.contains_key(&child) {
            Some(Found::Module(child))
        } else if own.items.contains(name) {
            Some(Found::Item(own.file.clone()))
        } else {
            self.resolve(module, own.imports.get(name)?, depth.checked_sub(1)?)
        }
    }
}

fn joined(module: &[String], name: &str) -> Vec<String> {
    [module, &[name.to_owned()]].concat()
}

/// The tokens after the first one that matches `is_end`.
fn tokens_after(tokens: &[TokenTree], is_end: impl Fn(&str) -> bool) -> &[TokenTree] {
    let end = tokens.iter().position(|token| is_end(&token.to_string()));
    end.map_or(&[], |end| &tokens[end + 1..])
}

/// Splits off the path at the start of the tokens.
fn path(mut tokens: &[TokenTree]) -> (Vec<String>, &[TokenTree]) {
    let mut path = Vec::new();
    while let [TokenTree::Ident(name), rest @ ..] = tokens {
        path.push(name.to_string());
        tokens = rest;
        let [TokenTree::Punct(one), TokenTree::Punct(two), next @ ..] = rest else {
            break;
        };
        if one.as_char() != ':'
            || two.as_char() != ':'
            || !matches!(next, [TokenTree::Ident(_), ..])
        {
            break;
        }
        tokens = next;
    }
    (path, tokens)
}
