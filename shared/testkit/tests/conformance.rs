//! The fakes behave as ports must.

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

conforms! { accounts gate identities acceptance library listing moves outbox uploads documents erasure sending public steps switches subscriptions deliveries }
