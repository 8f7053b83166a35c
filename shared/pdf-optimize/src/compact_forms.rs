//! Shortens the dictionaries of form XObjects: stream dictionaries cannot go into object streams, so they are never
//! compressed, and field appearances are many and small.

use std::collections::HashMap;

use lopdf::{Dictionary, Object, ObjectId};
use pdf::objects::is_a;
use pdf::patch::Patch;

use super::duplicates::Duplicates;
use super::lazy_document::LazyDocument;

const RESOURCES: &[u8] = b"Resources";
/// Default values of optional entries.
const DEFAULTS: [(&[u8], &[f32]); 2] = [
    (b"FormType", &[1.0]),
    (b"Matrix", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
];
/// Up to this magnitude, `f32` represents integers exactly.
const EXACT: f32 = 1_000_000.0;

/// Resource dictionaries shared by several forms, by their canonical bytes.
pub(super) struct FormCompactor {
    shared: HashMap<Vec<u8>, ObjectId>,
}

impl FormCompactor {
    /// Finds resources that several forms have in common, and adds them to the patch as objects.
    pub(super) fn of(source: &LazyDocument, duplicates: &Duplicates, patch: &mut Patch) -> Self {
        let mut counts: HashMap<Vec<u8>, (usize, Dictionary)> = HashMap::new();
        let streams = source.streams().filter(|(id, _)| !duplicates.contains(*id));
        for (_, stream) in streams.filter(|(_, stream)| is_a(&stream.dict, b"Form")) {
            if let Some((key, resources)) = resources(duplicates, &stream.dict) {
                counts.entry(key).or_insert((0, resources)).0 += 1;
            }
        }
        let mut shared: Vec<_> = counts
            .into_iter()
            .filter(|(_, (count, _))| *count > 1)
            .collect();
        shared.sort_by(|one, other| one.0.cmp(&other.0));
        let shared = shared.into_iter().map(|(key, (_, resources))| {
            let replaced = duplicates
                .redirected_members(&resources)
                .unwrap_or(resources);
            (key, patch.add(&Object::Dictionary(replaced)))
        });
        Self {
            shared: shared.collect(),
        }
    }

    /// Returns a shorter form dictionary, if there is one.
    pub(super) fn compact(
        &self,
        duplicates: &Duplicates,
        members: &Dictionary,
    ) -> Option<Dictionary> {
        if !is_a(members, b"Form") {
            return None;
        }
        let mut compact = members.clone();
        for (key, default) in DEFAULTS {
            if members
                .get(key)
                .is_ok_and(|value| is_default(value, default))
            {
                compact.remove(key);
            }
        }
        for key in [b"BBox" as &[u8], b"Matrix"] {
            if let Ok(numbers) = compact.get_mut(key).and_then(Object::as_array_mut) {
                numbers.iter_mut().for_each(shorten_number);
            }
        }
        if let Some((key, resources)) = resources(duplicates, members) {
            match self.shared.get(&key) {
                Some(id) => compact.set(RESOURCES, *id),
                None => compact.set(RESOURCES, resources),
            }
        }
        (compact != *members).then_some(compact)
    }
}

/// Returns the direct resource dictionary of a form, without the obsolete `ProcSet` [ISO 32000-1, 14.2].
fn resources(duplicates: &Duplicates, form: &Dictionary) -> Option<(Vec<u8>, Dictionary)> {
    let mut resources = form.get(RESOURCES).ok()?.as_dict().ok()?.clone();
    resources.remove(b"ProcSet");
    let key = duplicates.serialized(&resources)?;
    Some((key, resources))
}

fn is_default(value: &Object, default: &[f32]) -> bool {
    let numbers = match value {
        Object::Array(numbers) => numbers.as_slice(),
        number => std::slice::from_ref(number),
    };
    numbers.len() == default.len()
        && numbers
            .iter()
            .zip(default)
            .all(|(number, default)| number.as_float().is_ok_and(|number| number == *default))
}

/// Writes whole numbers as integers.
fn shorten_number(number: &mut Object) {
    if let Object::Real(real) = number
        && real.fract() == 0.0
        && real.abs() < EXACT
    {
        *number = Object::Integer(*real as i64);
    }
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn form_dictionaries_omit_defaults_and_shorten_numbers() {
        let compactor = FormCompactor {
            shared: HashMap::new(),
        };
        let real = |number: f32| Object::Real(number);
        let form = dictionary! {
            "Subtype" => "Form", "FormType" => 1,
            "BBox" => vec![real(0.0), real(-2.0), real(18.5), 20.into()],
            "Matrix" => vec![real(1.0), real(0.0), 0.into(), real(1.0), real(0.0), real(0.0)],
            "Resources" => dictionary! { "ProcSet" => vec!["PDF".into()], "Font" => dictionary! { "F" => (3, 0) } },
        };
        let expected = dictionary! {
            "Subtype" => "Form",
            "BBox" => vec![0.into(), (-2).into(), real(18.5), 20.into()],
            "Resources" => dictionary! { "Font" => dictionary! { "F" => (3, 0) } },
        };
        let none = Duplicates::default();
        assert_eq!(compactor.compact(&none, &form), Some(expected.clone()));
        assert_eq!(compactor.compact(&none, &expected), None);
        let turned = dictionary! { "Subtype" => "Form", "Matrix" => vec![0.into(), 1.into()] };
        assert_eq!(compactor.compact(&none, &turned), None);
        let picture = dictionary! { "Subtype" => "Image", "Matrix" => vec![real(1.0)] };
        assert_eq!(compactor.compact(&none, &picture), None);
    }
}
