//! A test's closure plays the engine functions.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::time::Duration;

use domain::engine_function::EngineFunction::{self, EngineOffice, EnginePdf};
use domain::id::AccountId;
use domain::ports::{EngineFunctions, InvokeError, Objects};
use testkit::{Call, Environment, Fakes, Fault, Invocation, crc64nvme};
use tokio::time::Instant;

const TIMEOUT: Duration = Duration::from_secs(60);

async fn invoke(fakes: &Fakes, function: EngineFunction) -> Result<Vec<u8>, InvokeError> {
    let account = AccountId::mint(fakes.now(), 1);
    fakes
        .invoke(function, &account, b"request".to_vec(), TIMEOUT)
        .await
}

#[tokio::test]
async fn a_script_downloads_and_uploads() {
    let fakes = Fakes::new();
    let etag = fakes.put_object("input", "text/plain", b"content");
    let input = fakes.input_request("input", &etag).await.unwrap();
    let form = fakes.output_form("output", 7).await.unwrap();
    fakes.script_engine(move |fakes, function, payload| {
        assert_eq!((function, payload), (EnginePdf, b"request".as_slice()));
        let content = fakes.download(&input).unwrap();
        assert!(!fakes.upload(&form, "text/plain", b"too large"));
        assert!(fakes.upload(&form, "text/plain", &content));
        Ok(b"response".to_vec())
    });
    assert_eq!(invoke(&fakes, EnginePdf).await.unwrap(), b"response");
    let stored = fakes.stored("output").await.unwrap().unwrap();
    assert_eq!(stored.size_bytes, 7);
    assert_eq!(stored.crc64nvme, Some(crc64nvme(b"content")));
    let expected = Invocation {
        function: EnginePdf,
        account: AccountId::mint(fakes.now(), 1),
        payload: b"request".to_vec(),
        timeout: TIMEOUT,
    };
    assert_eq!(fakes.invocations(), [expected]);
}

#[tokio::test]
async fn a_replaced_input_cannot_be_downloaded() {
    let fakes = Fakes::new();
    let etag = fakes.put_object("input", "text/plain", b"first");
    let input = fakes.input_request("input", &etag).await.unwrap();
    fakes.put_object("input", "text/plain", b"second");
    assert_eq!(fakes.download(&input), None);
}

#[tokio::test]
async fn faults_are_errors_of_an_invocation() {
    let fakes = Fakes::new();
    fakes.script_engine(|_, _, _| Ok(Vec::new()));
    let after = Duration::from_millis(1);
    for fault in [
        Fault::Contended,
        Fault::Unavailable,
        Fault::TimedOut(after),
        Fault::ResponseLost,
    ] {
        fakes.fail(Call::Invoke, fault, 1);
        let error = invoke(&fakes, EngineOffice).await.unwrap_err();
        let is_expected = match fault {
            Fault::Contended => matches!(error, InvokeError::Throttled),
            Fault::TimedOut(_) => matches!(error, InvokeError::TimedOut),
            _ => matches!(error, InvokeError::Unavailable(_)),
        };
        assert!(is_expected, "{fault:?}: {error:?}");
    }
    assert!(invoke(&fakes, EngineOffice).await.is_ok());
    assert_eq!(fakes.invocations().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_response_is_delayed_up_to_the_timeout() {
    let fakes = Fakes::new();
    fakes.script_engine(|_, _, _| Ok(Vec::new()));
    let start = Instant::now();
    fakes.delay_engine(TIMEOUT);
    assert!(invoke(&fakes, EngineOffice).await.is_ok());
    assert_eq!(start.elapsed(), TIMEOUT);
    fakes.delay_engine(TIMEOUT * 2);
    let late = invoke(&fakes, EngineOffice).await;
    assert!(matches!(late, Err(InvokeError::TimedOut)));
    assert_eq!(start.elapsed(), TIMEOUT * 2);
}
