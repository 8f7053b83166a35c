//! What the forms of a PDF say of themselves, said briefly: dictionaries of streams are the part of a PDF that is never
//! deflated, and the appearances of fields are many and small.

use std::collections::HashMap;

use lopdf::{Dictionary, Object, ObjectId};
use pdf::objects::is_a;
use pdf::patch::Patch;

use super::duplicates::Duplicates;
use super::plain::Plain;

const RESOURCES: &[u8] = b"Resources";
/// What a form is if it does not say so.
const DEFAULTS: [(&[u8], &[f32]); 2] = [
    (b"FormType", &[1.0]),
    (b"Matrix", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
];
/// Numbers up to this are the same with a point and without.
const EXACT: f32 = 1_000_000.0;

/// The resources that several forms have alike, by how they are spelled.
pub(super) struct Brief {
    shared: HashMap<Vec<u8>, ObjectId>,
}

impl Brief {
    /// Looks through a document, and adds what several forms have alike to it.
    pub(super) fn of(plain: &Plain, duplicates: &Duplicates, patch: &mut Patch) -> Self {
        let mut known: HashMap<Vec<u8>, (usize, Dictionary)> = HashMap::new();
        let streams = plain.streams().filter(|(id, _)| !duplicates.contains(*id));
        for (_, stream) in streams.filter(|(_, stream)| is_a(&stream.dict, b"Form")) {
            if let Some((key, resources)) = resources(duplicates, &stream.dict) {
                known.entry(key).or_insert((0, resources)).0 += 1;
            }
        }
        let mut several: Vec<_> = known
            .into_iter()
            .filter(|(_, (count, _))| *count > 1)
            .collect();
        several.sort_by(|one, other| one.0.cmp(&other.0));
        let shared = several.into_iter().map(|(key, (_, resources))| {
            let replaced = duplicates.replaced_members(&resources).unwrap_or(resources);
            (key, patch.add(&Object::Dictionary(replaced)))
        });
        Self {
            shared: shared.collect(),
        }
    }

    /// What a stream says of itself, if that can be said in fewer words.
    pub(super) fn members(
        &self,
        duplicates: &Duplicates,
        members: &Dictionary,
    ) -> Option<Dictionary> {
        if !is_a(members, b"Form") {
            return None;
        }
        let mut brief = members.clone();
        for (key, default) in DEFAULTS {
            if members
                .get(key)
                .is_ok_and(|value| is_default(value, default))
            {
                brief.remove(key);
            }
        }
        for key in [b"BBox" as &[u8], b"Matrix"] {
            if let Ok(numbers) = brief.get_mut(key).and_then(Object::as_array_mut) {
                numbers.iter_mut().for_each(shorten);
            }
        }
        if let Some((key, resources)) = resources(duplicates, members) {
            match self.shared.get(&key) {
                Some(id) => brief.set(RESOURCES, *id),
                None => brief.set(RESOURCES, resources),
            }
        }
        (brief != *members).then_some(brief)
    }
}

/// The resources of a form that are no object of their own, without what no reader reads since PDF 1.4 [ISO 32000-1, 14.2].
fn resources(duplicates: &Duplicates, form: &Dictionary) -> Option<(Vec<u8>, Dictionary)> {
    let mut resources = form.get(RESOURCES).ok()?.as_dict().ok()?.clone();
    resources.remove(b"ProcSet");
    let key = duplicates.spelled(&resources)?;
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

/// Whole numbers need no point.
fn shorten(number: &mut Object) {
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
    fn forms_say_no_more_than_they_must() {
        let brief = Brief {
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
        assert_eq!(brief.members(&none, &form), Some(expected.clone()));
        assert_eq!(brief.members(&none, &expected), None);
        let turned = dictionary! { "Subtype" => "Form", "Matrix" => vec![0.into(), 1.into()] };
        assert_eq!(brief.members(&none, &turned), None);
        let picture = dictionary! { "Subtype" => "Image", "Matrix" => vec![real(1.0)] };
        assert_eq!(brief.members(&none, &picture), None);
    }
}
