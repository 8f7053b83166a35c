//! The operator's switches of processors.

use domain::processor::Processor;

use crate::environment::{Environment, Ports};

/// A processor is enabled unless disabled. Uses a processor whose switch no route reads, so that concurrent tests can
/// submit jobs.
pub async fn switches<P: Ports, W: Environment>(ports: &P, _env: &W) {
    let turned = Processor::ProcessWeb;
    for on in [true, true, false, false, true] {
        ports.set_enabled(turned, on).await.unwrap();
        assert_eq!(ports.is_enabled(turned).await.unwrap(), on);
        let other = ports.is_enabled(Processor::ProcessImage).await.unwrap();
        assert!(other, "another processor was disabled");
    }
}
