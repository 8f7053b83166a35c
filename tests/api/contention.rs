//! DynamoDB transaction conflicts.

/// Run alone, because injected faults affect all accounts.
mod alone {
    use serde_json::{Value, json};
    use tests::client::{Client, unique};
    use tests::faults::inject;
    use tests::stack::stack;

    use crate::account::{Account, accepted_job_id};
    use crate::problem::{assert_problem, expected_problem};

    /// Fault rule: the next `times` transactions of the `jobs` function fail with `TransactionConflict`.
    fn conflicts(times: u32) -> Value {
        json!({
            "service": "dynamodb", "operation": "TransactWriteItems", "function": stack().resources.functions["jobs"],
            "status": 400, "error": "TransactionCanceledException", "times": times,
            "reasons": ["None", "None", "TransactionConflict", "None", "None", "None"]
        })
    }

    #[tokio::test]
    async fn transaction_conflicts_are_retried() {
        let account = Account::new("starter");
        let body = account.conversion_body().await;
        let faults = inject(&[conflicts(5)]);
        let job = account.submit_job(&body).await;
        drop(faults);
        assert_eq!(account.client.wait(&job).await["status"], "completed");
        assert_eq!(account.remaining().await.1, 1_998);
        assert_eq!(account.jobs().await, [job]);
    }

    #[tokio::test]
    async fn persistent_conflicts_return_429_and_charge_nothing() {
        let account = Account::new("starter");
        let (body, key) = (account.conversion_body().await, unique("conflict"));
        let before = account.usage().await;
        let without_retries = Client::with_key(Some(&account.key));
        let faults = inject(&[conflicts(100_000)]);
        let response = without_retries.create_job(&body, Some(&key)).await;
        drop(faults);
        let title = "Too many requests";
        assert_problem(
            &response,
            &expected_problem(429, "rate_limited", title, "/jobs", true),
        );
        assert_eq!(response.header("retry-after"), "1");
        assert_eq!(account.usage().await, before);
        assert_eq!(account.jobs().await, Vec::<String>::new());
        accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    }

    #[tokio::test]
    async fn a_conflict_does_not_hide_another_error() {
        let account = Account::new("starter");
        let body = account.conversion_body().await;
        account.set_used(0, 2_000);
        let faults = inject(&[conflicts(3)]);
        let response = account.client.create_job(&body, None).await;
        drop(faults);
        assert_eq!(response.problem(), (402, "credits_exhausted".to_owned()));
    }
}
