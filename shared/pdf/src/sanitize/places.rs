//! What the parts of a document may have, by the place of an object in the object graph [ISO 32000-2]. Members that are not
//! listed are dropped at the places where viewers look for actions, files and metadata.

use domain::operation::SanitizedPart;
use domain::operation::SanitizedPart::{Attachments, JavaScript, Metadata};

/// The place of an object.
pub(super) enum Place {
    /// Resources, fonts, functions and the like: all but harmful members are kept.
    Any,
    /// A dictionary with names of the document as keys.
    Map(&'static Place),
    /// A name tree or a number tree.
    Tree(&'static Place),
    /// A dictionary with these members only.
    Members(&'static [Member]),
    /// The annotations of a page.
    Annotations,
    /// Fields of a form.
    Fields,
    /// An image or a form of resources.
    Drawn,
    /// An annotation or an image in the structure.
    Tagged,
    /// An action, or several.
    Action,
    /// Actions that events start.
    Triggers,
    /// What is done when the document is opened.
    Opening,
    /// A place in the document.
    Destination,
}

/// Members of a dictionary.
pub(super) struct Member {
    /// The keys, separated by spaces.
    pub(super) keys: &'static str,
    pub(super) place: &'static Place,
    /// The part that they belong to; they are dropped with it.
    pub(super) part: Option<SanitizedPart>,
}

const fn kept(keys: &'static str, place: &'static Place) -> Member {
    Member {
        keys,
        place,
        part: None,
    }
}

const fn part(keys: &'static str, place: &'static Place, part: SanitizedPart) -> Member {
    Member {
        keys,
        place,
        part: Some(part),
    }
}

pub(super) static ANY: Place = Place::Any;
static NAMES: Place = Place::Map(&ANY);
static ACTION: Place = Place::Action;
static TRIGGERS: Place = Place::Triggers;
static DESTINATION: Place = Place::Destination;
static ANNOTATIONS: Place = Place::Annotations;
static FIELDS: Place = Place::Fields;
static DRAWN: Place = Place::Map(&Place::Drawn);

pub(super) static CATALOG: Place = Place::Members(&[
    kept(
        "Type Version Extensions PageLabels ViewerPreferences PageLayout PageMode",
        &ANY,
    ),
    kept("Pages", &PAGES),
    kept("MarkInfo Lang OutputIntents OCProperties", &ANY),
    kept("Names", &NAME_TREES),
    kept("Dests", &Place::Map(&DESTINATION)),
    kept("Outlines", &OUTLINE),
    kept("OpenAction", &Place::Opening),
    kept("AcroForm", &FORM),
    kept("StructTreeRoot", &STRUCTURE),
    kept("Threads", &THREADS),
    kept("AA", &TRIGGERS),
    part("AF Collection", &ANY, Attachments),
    part("Metadata PieceInfo", &ANY, Metadata),
]);

static PAGES: Place = Place::Members(&[
    kept("Type Parent Count MediaBox CropBox Rotate", &ANY),
    kept("Resources", &RESOURCES),
    kept("Kids", &PAGES),
]);

static NAME_TREES: Place = Place::Members(&[
    kept("Dests", &Place::Tree(&DESTINATION)),
    part("JavaScript", &Place::Tree(&ACTION), JavaScript),
    part("EmbeddedFiles", &Place::Tree(&ANY), Attachments),
]);

pub(super) static PAGE: Place = Place::Members(&[
    kept(
        "Type Parent MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo",
        &ANY,
    ),
    kept(
        "Contents Rotate Group B Dur Trans StructParents Tabs UserUnit VP",
        &ANY,
    ),
    kept("SeparationInfo OutputIntents", &ANY),
    kept("Resources", &RESOURCES),
    kept("Annots", &ANNOTATIONS),
    kept("AA", &TRIGGERS),
    part("AF", &ANY, Attachments),
    part("Metadata PieceInfo LastModified Thumb", &ANY, Metadata),
]);

pub(super) static RESOURCES: Place = Place::Members(&[
    kept(
        "ExtGState ColorSpace Pattern Shading Font Properties",
        &NAMES,
    ),
    kept("ProcSet", &ANY),
    kept("XObject", &DRAWN),
]);

/// Annotations, fields, and fields that are annotations.
pub(super) static ANNOTATION: Place = Place::Members(&[
    kept(
        "Type Subtype Rect Contents P NM M F AS Border C StructParent OC Lang",
        &ANY,
    ),
    kept(
        "ca CA BM T Popup RC CreationDate IRT Subj RT IT H QuadPoints BS DA Q DS",
        &ANY,
    ),
    kept(
        "CL BE RD LE L IC LL LLE Cap LLO CP Measure CO Vertices Path InkList Sy",
        &ANY,
    ),
    kept(
        "Name Open State StateModel RO OverlayText Repeat MK FixedPrint",
        &ANY,
    ),
    kept(
        "FT TU TM Ff V DV Opt TI I MaxLen Lock SV RV AnnotStates FontFauxing",
        &ANY,
    ),
    kept("AP", &Place::Map(&NAMES)),
    kept("Kids Parent", &FIELDS),
    kept("A", &ACTION),
    kept("Dest", &DESTINATION),
    kept("AA", &TRIGGERS),
    part("AF FS", &ANY, Attachments),
    part("LastModified", &ANY, Metadata),
]);

static FORM: Place = Place::Members(&[
    kept("NeedAppearances SigFlags DA Q", &ANY),
    kept("DR", &RESOURCES),
    kept("Fields", &FIELDS),
    part("CO", &ANY, JavaScript),
]);

static OUTLINE: Place = Place::Members(&[
    kept("Type Title Count C F", &ANY),
    kept("Parent Prev Next First Last", &OUTLINE),
    kept("Dest", &DESTINATION),
    kept("A", &ACTION),
]);

static THREADS: Place = Place::Members(&[kept("Type F", &ANY), part("I Metadata", &ANY, Metadata)]);

static STRUCTURE: Place = Place::Members(&[
    kept("Type ParentTreeNextKey Namespaces", &ANY),
    kept("K", &ELEMENT),
    kept("IDTree ParentTree", &Place::Tree(&ELEMENT)),
    kept("RoleMap ClassMap", &NAMES),
    part("AF", &ANY, Attachments),
    part("Metadata", &ANY, Metadata),
]);

/// Structure elements, and references to content.
static ELEMENT: Place = Place::Members(&[
    kept(
        "Type S ID Pg A C R T Lang Alt E ActualText NS Phoneme PhoneticAlphabet",
        &ANY,
    ),
    kept("MCID Stm StmOwn", &ANY),
    kept("P Ref K", &ELEMENT),
    kept("Obj", &Place::Tagged),
    part("AF", &ANY, Attachments),
    part("Metadata", &ANY, Metadata),
]);

/// Keys that are dropped wherever they are, with the part that they belong to.
pub(super) const HARMFUL: [(&str, SanitizedPart); 3] = [
    ("JS", JavaScript),
    ("EF RF AF EmbeddedFiles", Attachments),
    ("Metadata PieceInfo LastModified", Metadata),
];
/// Keys of streams that are dropped: data outside of the document.
pub(super) const EXTERNAL: &str = "F FFilter OPI Ref PS Level1";
