//! Engine functions: a test's closure plays them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::engine_function::EngineFunction;
use domain::id::AccountId;
use domain::ports::{EngineFunctions, InvokeError};

use super::{Call, Fakes, Fault, lock, unavailable};

/// A recorded call of [`EngineFunctions::invoke`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The function.
    pub function: EngineFunction,
    /// The account whose document it works on.
    pub account: AccountId,
    /// The request.
    pub payload: Vec<u8>,
    /// How long the caller waits.
    pub timeout: Duration,
}

/// What the engine functions do.
type Script = dyn Fn(&Fakes, EngineFunction, &[u8]) -> Result<Vec<u8>, InvokeError> + Send + Sync;

/// Script and recorded invocations.
#[derive(Default)]
pub(super) struct EngineState {
    script: Option<Arc<Script>>,
    delay: Duration,
    invocations: Vec<Invocation>,
}

impl Fakes {
    /// Lets `script` respond to invocations of engine functions. It gets the fakes for its downloads and uploads.
    pub fn script_engine(
        &self,
        script: impl Fn(&Self, EngineFunction, &[u8]) -> Result<Vec<u8>, InvokeError>
        + Send
        + Sync
        + 'static,
    ) {
        lock(&self.engines).script = Some(Arc::new(script));
    }

    /// Delays each response. The script runs before the delay, and also if the caller does not wait for the response.
    pub fn delay_engine(&self, delay: Duration) {
        lock(&self.engines).delay = delay;
    }

    /// All invocations in order, also those that failed.
    #[must_use]
    pub fn invocations(&self) -> Vec<Invocation> {
        lock(&self.engines).invocations.clone()
    }

    fn run_script(&self, function: EngineFunction, payload: &[u8]) -> Result<Vec<u8>, InvokeError> {
        let script = lock(&self.engines).script.clone();
        match script {
            Some(script) => script(self, function, payload),
            None => Err(InvokeError::Crashed("no script".to_owned())),
        }
    }
}

#[async_trait]
impl EngineFunctions for Fakes {
    /// [`Fault::Contended`] is a throttled invocation.
    async fn invoke(
        &self,
        function: EngineFunction,
        account: &AccountId,
        payload: Vec<u8>,
        timeout: Duration,
    ) -> Result<Vec<u8>, InvokeError> {
        self.run_interruptions(Call::Invoke);
        lock(&self.engines).invocations.push(Invocation {
            function,
            account: account.clone(),
            payload: payload.clone(),
            timeout,
        });
        let fault = self.next_fault(Call::Invoke);
        match fault {
            Some(Fault::Contended) => return Err(InvokeError::Throttled),
            Some(Fault::Unavailable) => return Err(unavailable("does not respond").into()),
            Some(Fault::TimedOut(after)) => {
                tokio::time::sleep(after.min(timeout)).await;
                return Err(InvokeError::TimedOut);
            }
            Some(Fault::ResponseLost) | None => {}
        }
        let response = self.run_script(function, &payload);
        let delay = lock(&self.engines).delay;
        if delay > timeout {
            tokio::time::sleep(timeout).await;
            return Err(InvokeError::TimedOut);
        }
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match fault {
            Some(_) => Err(unavailable("the response was lost").into()),
            None => response,
        }
    }
}
