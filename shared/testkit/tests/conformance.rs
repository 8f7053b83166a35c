//! Runs the conformance suite against the fakes.

use testkit::{Fakes, conformance};

macro_rules! conforms {
    ($($name:ident)*) => {$(
        #[tokio::test]
        async fn $name() {
            let fakes = Fakes::new();
            conformance::$name(&fakes, &fakes).await;
        }
    )*};
}

conforms! { accounts authentication identities acceptance library listing transitions outbox uploads documents erasure messaging anonymous step_artifacts engine_requests switches subscriptions deliveries }
