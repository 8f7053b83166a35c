//! Engine functions: Lambda functions with a document engine and without rights. Memory and timeouts of engine functions and
//! of the coordinators that invoke them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::format::Format;
use crate::operation::Operation;
use crate::processor::Processor;

/// A function with document engines.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum EngineFunction {
    /// LibreOffice.
    EngineOffice,
    /// libqpdf, pdfium.
    EnginePdf,
    /// Image codecs.
    EngineImage,
    /// Tesseract.
    EngineOcr,
    /// Chromium.
    EngineWeb,
}

/// Memory and time of an engine function. Each time is shorter than the next, so that every layer can report the failure of
/// the one below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineResources {
    /// Memory of the function in MiB; Lambda allots CPU time in proportion.
    pub memory: u32,
    /// Memory in MiB that the function's own processes use in addition to a document's: runtime, zygotes, prewarmed browser.
    pub base_memory: u32,
    /// Time for all child processes of one invocation.
    pub work: Duration,
    /// The function's timeout.
    pub timeout: Duration,
    /// How long a coordinator waits for the response.
    pub read_timeout: Duration,
}

const fn resources(memory: u32, base_memory: u32, work: u64, timeout: u64) -> EngineResources {
    EngineResources {
        memory,
        base_memory,
        work: Duration::from_secs(work),
        timeout: Duration::from_secs(timeout),
        read_timeout: Duration::from_secs(timeout + 10),
    }
}

impl EngineFunction {
    /// Every engine function.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name of the function.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Parses a name, with or without `engine-`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let matches = |function: &Self| {
            function.name() == name || function.name().strip_prefix("engine-") == Some(name)
        };
        Self::ALL.iter().copied().find(matches)
    }

    /// Returns the function that runs an operation on a format; `None` if none does.
    #[must_use]
    pub fn for_operation(operation: &Operation, from: Format) -> Option<Self> {
        let (processor, _) = operation.resolve(from)?;
        Self::of(processor)
    }

    /// Returns the engine function that a processor invokes; `None` for pipelines, which invoke that of each step.
    #[must_use]
    pub fn of(processor: Processor) -> Option<Self> {
        match processor {
            Processor::ProcessOffice => Some(Self::EngineOffice),
            Processor::ProcessPdf => Some(Self::EnginePdf),
            Processor::ProcessImage => Some(Self::EngineImage),
            Processor::ProcessOcr => Some(Self::EngineOcr),
            Processor::ProcessWeb => Some(Self::EngineWeb),
            Processor::ProcessPipeline => None,
        }
    }

    /// Returns the engine functions that the coordinator of a processor invokes.
    #[must_use]
    pub fn invoked_by(processor: Processor) -> Vec<Self> {
        Self::of(processor).map_or_else(|| Self::ALL.to_vec(), |function| vec![function])
    }

    /// Returns the processor whose operations it runs.
    #[must_use]
    pub fn processor(self) -> Processor {
        match self {
            Self::EngineOffice => Processor::ProcessOffice,
            Self::EnginePdf => Processor::ProcessPdf,
            Self::EngineImage => Processor::ProcessImage,
            Self::EngineOcr => Processor::ProcessOcr,
            Self::EngineWeb => Processor::ProcessWeb,
        }
    }

    /// Returns memory and timeouts.
    #[must_use]
    pub fn resources(self) -> EngineResources {
        match self {
            Self::EngineOffice => resources(2_560, 340, 240, 290),
            Self::EnginePdf => resources(2_304, 120, 780, 840),
            Self::EngineImage => resources(2_304, 120, 140, 180),
            Self::EngineOcr => resources(2_304, 120, 780, 840),
            Self::EngineWeb => resources(3_008, 320, 90, 120),
        }
    }
}

/// Memory of a coordinator in MiB.
pub const COORDINATOR_MEMORY: u32 = 256;

/// Time of a coordinator for everything but the engine function: claim, fetch of a remote source, finish.
const COORDINATOR_MARGIN: Duration = Duration::from_secs(40);

/// Lambda's maximum timeout.
const MAX_TIMEOUT: Duration = Duration::from_secs(900);

/// Returns the timeout of a coordinator's function.
#[must_use]
pub fn coordinator_timeout(processor: Processor) -> Duration {
    let engine = EngineFunction::of(processor).map(EngineFunction::resources);
    engine.map_or(MAX_TIMEOUT, |engine| {
        (engine.read_timeout + COORDINATOR_MARGIN).min(MAX_TIMEOUT)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{MEBIBYTE, RESIDENT_BYTES};
    use crate::retry::{HEARTBEAT, LEASE};

    #[test]
    fn timeouts_nest() {
        for function in EngineFunction::ALL {
            let EngineResources {
                work,
                timeout,
                read_timeout,
                ..
            } = function.resources();
            let coordinator = coordinator_timeout(function.processor());
            assert!(work + Duration::from_secs(25) <= timeout, "{function:?}");
            assert!(timeout < read_timeout, "{function:?}");
            assert!(
                read_timeout + COORDINATOR_MARGIN <= coordinator,
                "{function:?}"
            );
            assert!(coordinator <= MAX_TIMEOUT, "{function:?}");
        }
        assert!(HEARTBEAT * 2 < LEASE);
    }

    #[test]
    fn a_document_uses_at_most_85_percent_of_the_memory() {
        for function in EngineFunction::ALL {
            let EngineResources {
                memory,
                base_memory,
                ..
            } = function.resources();
            let most = RESIDENT_BYTES + u64::from(base_memory) * MEBIBYTE;
            assert!(
                most * 100 <= u64::from(memory) * MEBIBYTE * 85,
                "{function:?}"
            );
        }
    }

    #[test]
    fn each_processor_but_pipelines_has_one_engine_function() {
        for function in EngineFunction::ALL.iter().copied() {
            assert_eq!(EngineFunction::of(function.processor()), Some(function));
            assert_eq!(EngineFunction::from_name(function.name()), Some(function));
            let invoked = EngineFunction::invoked_by(function.processor());
            assert_eq!(invoked, [function]);
        }
        let pipeline = Processor::ProcessPipeline;
        assert_eq!(EngineFunction::of(pipeline), None);
        assert_eq!(EngineFunction::invoked_by(pipeline), EngineFunction::ALL);
    }
}
