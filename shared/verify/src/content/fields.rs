//! Fields of a DOCX [ECMA-376 part 1, 17.16]: which results are recalculated by the application that opens the document.

/// Open fields.
#[derive(Default)]
pub(super) struct Fields {
    open: Vec<Field>,
    is_instruction: bool,
    /// Number of open fields beyond the maximum.
    ignored: usize,
}

#[derive(Default)]
struct Field {
    instruction: String,
    is_result: bool,
}

/// Fields whose result depends on the page, the time, the user or the file's properties.
const RECALCULATED: [&str; 33] = [
    "PAGE",
    "NUMPAGES",
    "SECTIONPAGES",
    "SECTION",
    "PAGEREF",
    "DATE",
    "TIME",
    "CREATEDATE",
    "SAVEDATE",
    "PRINTDATE",
    "EDITTIME",
    "FILENAME",
    "FILESIZE",
    "NUMWORDS",
    "NUMCHARS",
    "SEQ",
    "STYLEREF",
    "AUTHOR",
    "LASTSAVEDBY",
    "TITLE",
    "SUBJECT",
    "KEYWORDS",
    "COMMENTS",
    "DOCPROPERTY",
    "INFO",
    "TEMPLATE",
    "REVNUM",
    "USERNAME",
    "USERINITIALS",
    "AUTONUM",
    "AUTONUMLGL",
    "AUTONUMOUT",
    "LISTNUM",
];

/// Maximum nesting depth of fields; deeper ones are part of their parent.
const MAX_OPEN: usize = 32;
/// Maximum bytes of an instruction that are kept.
const MAX_INSTRUCTION: usize = 64;

impl Fields {
    /// Handles the mark of a complex field: `begin`, `separate` or `end`.
    pub(super) fn mark(&mut self, mark: Option<&str>) {
        match mark {
            Some("begin") => self.begin(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.is_result = true;
                }
            }
            Some("end") if self.ignored > 0 => self.ignored -= 1,
            Some("end") => {
                self.open.pop();
            }
            _ => {}
        }
    }

    /// Whether the innermost field is an equation, which has no result.
    pub(super) fn is_equation(&self) -> bool {
        let instruction = self.open.last().map(|field| field.instruction.trim_start());
        instruction.is_some_and(|instruction| instruction.starts_with("EQ"))
    }

    /// Begins a simple field, whose content is its result.
    pub(super) fn simple(&mut self, instruction: &str) {
        self.begin(Field {
            instruction: instruction.to_owned(),
            is_result: true,
        });
    }

    fn begin(&mut self, field: Field) {
        match self.open.len() < MAX_OPEN {
            true => self.open.push(field),
            false => self.ignored += 1,
        }
    }

    pub(super) fn begin_instruction(&mut self) {
        self.is_instruction = true;
    }

    pub(super) fn end_instruction(&mut self) {
        self.is_instruction = false;
    }

    /// Whether the text is an instruction.
    pub(super) fn is_instruction(&self) -> bool {
        self.is_instruction
    }

    /// Adds text of an instruction.
    pub(super) fn instruction(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut()
            && field.instruction.len() < MAX_INSTRUCTION
        {
            field.instruction.push_str(text);
        }
    }

    /// Whether the text belongs to a result that is recalculated.
    pub(super) fn is_recalculated(&self) -> bool {
        self.open
            .iter()
            .any(|field| !field.is_result || field.is_recalculated())
    }
}

impl Field {
    fn is_recalculated(&self) -> bool {
        let name = self.instruction.split_whitespace().next();
        name.is_some_and(|name| {
            RECALCULATED
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
    }
}
