//! An engine function without concurrency.

use aws_sdk_lambda::Client;
use tests::documents::pdf;
use tests::stack::stack;
use tests::wire;

use crate::account::{Account, PRICE, statuses};
use crate::aws;
use crate::crash::{COORDINATOR, ENGINE, PROCESSING};

/// Number of refused invocations before the limit is lifted.
const REFUSED: usize = 4;

const TOO_MANY_REQUESTS: u16 = 429;

/// The job waits for concurrency without using up attempts, and completes when there is some.
pub(crate) async fn job_waits_for_concurrency() {
    let account = Account::new();
    let start = wire::now();
    let limit = ConcurrencyLimit::set(ENGINE, 0).await;
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "png").await;
    let is_refused = |request: &wire::Request| {
        let is_invocation = request.service == "lambda" && request.is_of(COORDINATOR);
        is_invocation && request.status == TOO_MANY_REQUESTS
    };
    wire::wait_for_requests(start, REFUSED, PROCESSING, is_refused).await;
    let waiting = account.job(&job_id).await;
    assert_eq!(statuses(&waiting), ["queued", "processing"], "{waiting}");
    drop(limit);
    let job = account.wait_for(&job_id, "completed", PROCESSING).await;
    assert_eq!(statuses(&job), ["queued", "processing", "completed"]);
    assert_eq!(
        (&job["attempts"], &job["creditsCharged"]),
        (&1.into(), &PRICE.into()),
        "{job}"
    );
    assert_eq!(account.credits_used().await, PRICE);
}

/// Limits the concurrency of a function until dropped.
struct ConcurrencyLimit(&'static str);

impl ConcurrencyLimit {
    async fn set(function: &'static str, limit: i32) -> Self {
        let request = client().await.put_function_concurrency();
        request
            .function_name(&stack().resources.functions[function])
            .reserved_concurrent_executions(limit)
            .send()
            .await
            .unwrap();
        Self(function)
    }
}

impl Drop for ConcurrencyLimit {
    fn drop(&mut self) {
        let function = self.0;
        let lift = || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let request = client().await.delete_function_concurrency();
                let name = &stack().resources.functions[function];
                request.function_name(name).send().await.unwrap();
            });
        };
        std::thread::scope(|scope| drop(scope.spawn(lift).join()));
    }
}

async fn client() -> Client {
    Client::new(&aws::config().await)
}
