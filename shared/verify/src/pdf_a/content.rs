//! Content streams: operators, resources, colors and the fonts that show text.

mod inline_image;
mod reached;
mod state;

use std::collections::HashSet;

use serde_json::Value;

use self::state::State;
use super::color::{Colors, OutputIntent};
use super::file::{LIMITS, is_real_in_range, longest_string};
use super::fonts::UsedFonts;
use super::graphics::check_intent;
use super::objects::{Dict, Document};
use super::tokens::{Token, Tokens};
use super::{Clauses, Report};

const STREAMS: Clauses = ["6.2.10", "6.2.2"];
const IMAGES: Clauses = ["6.2.4", "6.2.8"];
const INLINE_FILTERS: Clauses = ["6.1.10", "6.1.10"];

/// Length of content in bytes from which no more streams are added to it.
const MAX_CONTENT: usize = 64 << 20;
/// Maximum number of operands that are kept.
const MAX_OPERANDS: usize = 100_000;

/// The operators of ISO 32000-1, annex A.
const OPERATORS: &str = " b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \" ";

/// Checks the content of all pages and of what they refer to.
pub(super) fn check(
    document: &Document<'_>,
    intent: OutputIntent,
    has_transparency: bool,
    report: &mut Report,
) {
    let mut scan = Scan {
        document,
        report,
        colors: Colors::new(document, intent),
        fonts: UsedFonts::default(),
        seen: HashSet::new(),
        due: Vec::new(),
    };
    for (object, dict) in document.graph.objects() {
        if let Some(page) = dict.as_object()
            && document.graph.name(page, "/Type") == Some("/Page")
        {
            let needs_space = has_transparency && intent.0.is_none();
            scan.page(object, page, needs_space);
        }
    }
    while let Some(job) = scan.due.pop() {
        scan.stream(&job);
    }
    let Scan { fonts, report, .. } = scan;
    fonts.check(document, report);
}

/// A content stream to be read.
struct Job<'a> {
    /// The streams that make up the content.
    parts: Vec<&'a Value>,
    resources: Option<&'a Dict>,
    object: &'a str,
    /// Whether the content has a graphics state of its own, with black as initial color.
    is_page: bool,
    /// Whether the resources are those of the content that uses it.
    inherits: bool,
}

struct Scan<'a, 'r> {
    document: &'a Document<'a>,
    report: &'r mut Report,
    colors: Colors<'a>,
    fonts: UsedFonts<'a>,
    /// Streams that were read.
    seen: HashSet<&'a str>,
    due: Vec<Job<'a>>,
}

impl<'a> Scan<'a, '_> {
    fn stream(&mut self, job: &Job<'a>) {
        let mut data = Vec::new();
        for part in &job.parts {
            match self.document.data(part) {
                Some(part) if data.len() < MAX_CONTENT => data.extend(part),
                _ => {
                    let reason = "a content stream cannot be read";
                    self.report.add(job.object, STREAMS, reason);
                }
            }
            data.push(b'\n');
        }
        let mut tokens = Tokens::new(&data);
        let mut operands = Vec::new();
        let mut state = State::new(job.is_page);
        while let Some(token) = tokens.next() {
            self.limits(&token, job.object);
            match token {
                Token::Word(word) if !is_operand(&word) => {
                    self.operator(&word, &operands, job, &mut state);
                    operands.clear();
                    if word == "ID" {
                        tokens.skip_image();
                    }
                }
                token if operands.len() < MAX_OPERANDS => operands.push(token),
                _ => {}
            }
        }
        let reason = "a hexadecimal string has invalid digits";
        let is_valid = !tokens.has_invalid_hex;
        self.report
            .require(is_valid, job.object, ["6.1.6", "6.1.6"], reason);
    }

    fn limits(&mut self, token: &Token, object: &str) {
        let is_part_1 = self.report.is_part_1();
        let holds = match token {
            Token::Number(number, true) => number.abs() <= 2_147_483_648.0,
            Token::Number(number, false) => is_real_in_range(*number, is_part_1),
            Token::Name(name) => name.len() <= 128,
            Token::Text(text) => text.len() <= longest_string(is_part_1),
            Token::Word(_) => true,
        };
        let reason = "an operand is too large";
        self.report.require(holds, object, LIMITS, reason);
    }

    fn operator(
        &mut self,
        operator: &str,
        operands: &[Token],
        job: &Job<'a>,
        state: &mut State<'a>,
    ) {
        let (resources, object) = (job.resources, job.object);
        let name = operands.iter().rev().find_map(|operand| match operand {
            Token::Name(name) => Some(name.as_str()),
            _ => None,
        });
        if state.paints_in_initial_color(operator) {
            self.device("/DeviceGray", job);
        }
        match (operator, name) {
            ("q", _) => {
                let is_allowed = state.save();
                let reason = "graphics states are nested too deep";
                self.report.require(is_allowed, object, LIMITS, reason);
            }
            ("Q", _) => state.restore(),
            ("g" | "G", _) => self.device("/DeviceGray", job),
            ("rg" | "RG", _) => self.device("/DeviceRGB", job),
            ("k" | "K", _) => self.device("/DeviceCMYK", job),
            ("cs" | "CS", Some(name)) => self.color_space(name, job),
            ("scn" | "SCN", Some(name)) => {
                if let Some(pattern) = self.resource("/Pattern", name, job) {
                    self.pattern(pattern, job);
                }
            }
            ("sh", Some(name)) => {
                let shading = self.resource("/Shading", name, job);
                self.shading(shading, job);
            }
            ("ri", Some(name)) => check_intent(Some(name), object, self.report),
            ("gs", Some(name)) => {
                let parameters = self.resource("/ExtGState", name, job);
                let parameters = parameters.and_then(|value| self.document.graph.dictionary(value));
                if let Some(parameters) = parameters {
                    self.graphics_state(parameters, job, state);
                }
            }
            ("Do", Some(name)) => {
                if let Some(form) = self.resource("/XObject", name, job) {
                    self.x_object(form, job);
                }
            }
            ("Tf", Some(name)) => {
                state.font = self.resource("/Font", name, job);
                self.font(state.font, resources);
            }
            ("Tr", _) => {
                let mode = operands.first();
                state.is_visible = !matches!(mode, Some(Token::Number(mode, _)) if *mode == 3.0);
            }
            ("Tj" | "TJ" | "'" | "\"", _) => {
                let texts = operands.iter().filter_map(|operand| match operand {
                    Token::Text(text) => Some(text.as_slice()),
                    _ => None,
                });
                for text in texts {
                    let font = state.font;
                    self.fonts
                        .show(self.document, font, object, text, state.is_visible);
                }
            }
            ("ID", _) => self.inline_image(operands, job),
            (operator, _) => {
                let is_known = OPERATORS.contains(&format!(" {operator} "));
                self.report
                    .require(is_known, object, STREAMS, "an operator is unknown");
            }
        }
        state.set_color(operator);
    }

    fn device(&mut self, name: &str, job: &Job<'a>) {
        self.colors
            .device(name, job.resources, job.object, self.report);
    }

    fn color_space(&mut self, name: &str, job: &Job<'a>) {
        let space = self.resource_of(job.resources, "/ColorSpace", name);
        match (name, space) {
            ("/Pattern", _) => {}
            ("/DeviceGray" | "/DeviceRGB" | "/DeviceCMYK", _) => self.device(name, job),
            (_, Some(space)) => self
                .colors
                .space(space, job.resources, job.object, self.report),
            (_, None) => self
                .report
                .add(job.object, STREAMS, "a color space is missing"),
        }
    }

    fn resource_of(
        &self,
        resources: Option<&'a Dict>,
        kind: &str,
        name: &str,
    ) -> Option<&'a Value> {
        self.document.dict(resources?, kind)?.get(name)
    }

    /// A resource of the content, which has to be there.
    fn resource(&mut self, kind: &str, name: &str, job: &Job<'a>) -> Option<&'a Value> {
        let found = self.resource_of(job.resources, kind, name);
        let reason = "a resource is missing";
        self.report
            .require(found.is_some(), job.object, STREAMS, reason);
        let reason = "content uses resources that it does not have";
        let is_own = !job.inherits || found.is_none();
        self.report
            .require(is_own, job.object, ["", STREAMS[1]], reason);
        found
    }

    fn pattern(&mut self, pattern: &'a Value, job: &Job<'a>) {
        let Some(dict) = self.document.graph.dictionary(pattern) else {
            return;
        };
        match self.document.is_stream(pattern) {
            true => self.form(pattern, job.resources),
            false => self.shading(dict.get("/Shading"), job),
        }
    }

    fn shading(&mut self, shading: Option<&'a Value>, job: &Job<'a>) {
        let shading = shading.and_then(|value| self.document.graph.dictionary(value));
        if let Some(space) = shading.and_then(|shading| shading.get("/ColorSpace")) {
            self.colors
                .space(space, job.resources, job.object, self.report);
        }
    }

    fn graphics_state(&mut self, parameters: &'a Dict, job: &Job<'a>, state: &mut State<'a>) {
        if let Some(font) = self.document.graph.items(parameters, "/Font").first() {
            state.font = Some(font);
            self.font(state.font, job.resources);
        }
        let mask = self.document.dict(parameters, "/SMask");
        if let Some(group) = mask.and_then(|mask| mask.get("/G")) {
            self.form(group, job.resources);
        }
    }

    /// Has the glyphs of a Type 3 font read.
    fn font(&mut self, font: Option<&'a Value>, resources: Option<&'a Dict>) {
        let document = self.document;
        let Some(font) = font.and_then(|font| document.graph.dictionary(font)) else {
            return;
        };
        let own = document.dict(font, "/Resources");
        let glyphs = document.dict(font, "/CharProcs");
        for glyph in glyphs.into_iter().flat_map(|glyphs| glyphs.values()) {
            self.content(glyph, own.or(resources), own.is_some());
        }
    }

    fn x_object(&mut self, value: &'a Value, job: &Job<'a>) {
        let Some(dict) = self.document.graph.dictionary(value) else {
            return;
        };
        if self.document.graph.name(dict, "/Subtype") == Some("/Form") {
            return self.form(value, job.resources);
        }
        let object = value.as_str().unwrap_or(job.object);
        for image in [Some(dict), self.document.dict(dict, "/SMask")] {
            let is_stencil = image.is_some_and(|image| self.document.is_true(image, "/ImageMask"));
            let space = image.and_then(|image| image.get("/ColorSpace"));
            if let Some(space) = space.filter(|_| !is_stencil) {
                self.colors.space(space, job.resources, object, self.report);
            }
        }
    }

    fn inline_image(&mut self, operands: &[Token], job: &Job<'a>) {
        let object = job.object;
        for entry in inline_image::entries(operands) {
            for name in entry.names() {
                match (entry.key, name) {
                    ("/CS", "/I" | "/Indexed") => {}
                    ("/CS", "/G") => self.device("/DeviceGray", job),
                    ("/CS", "/RGB") => self.device("/DeviceRGB", job),
                    ("/CS", "/CMYK") => self.device("/DeviceCMYK", job),
                    ("/CS", name) => self.color_space(name, job),
                    ("/F", name) => {
                        let is_allowed = inline_image::FILTERS.contains(&name);
                        let reason = "a filter is not allowed";
                        self.report
                            .require(is_allowed, object, INLINE_FILTERS, reason);
                    }
                    ("/Intent", name) => check_intent(Some(name), object, self.report),
                    _ => {}
                }
            }
            let is_true = |token: &Token| matches!(token, Token::Word(word) if word == "true");
            let is_allowed = entry.key != "/I" || !entry.values.iter().any(is_true);
            self.report
                .require(is_allowed, object, IMAGES, "an image is interpolated");
        }
    }
}

fn is_operand(word: &str) -> bool {
    matches!(word, "[" | "]" | "<<" | ">>" | "true" | "false" | "null")
}
