//! The operator's switches of processors.

use domain::processor::Processor;

use crate::world::{Ports, World};

/// A processor is on until it is turned off, and again once it is turned on. Uses a processor whose switch no route reads,
/// so that jobs are accepted meanwhile.
pub async fn switches<P: Ports, W: World>(ports: &P, _world: &W) {
    let turned = Processor::ProcessWeb;
    for on in [true, true, false, false, true] {
        ports.turn(turned, on).await.unwrap();
        assert_eq!(ports.is_on(turned).await.unwrap(), on);
        let other = ports.is_on(Processor::ProcessImage).await.unwrap();
        assert!(other, "the switch of another processor");
    }
}
