//! Transactions that meet others on the same rows.

/// Faults reach every account.
mod alone {
    use serde_json::{Value, json};
    use tests::client::{Client, unique};
    use tests::faults::inject;
    use tests::stack::stack;

    use crate::account::{Account, accepted};
    use crate::refusal::{assert_problem, problem};

    /// The transactions of the job routes are cancelled `times` times, as DynamoDB does when two meet.
    fn conflicts(times: u32) -> Value {
        json!({
            "service": "dynamodb", "operation": "TransactWriteItems", "function": stack().resources.functions["jobs"],
            "status": 400, "error": "TransactionCanceledException", "times": times,
            "reasons": ["None", "None", "TransactionConflict", "None", "None", "None"]
        })
    }

    #[tokio::test]
    async fn a_few_conflicts_are_waited_out() {
        let account = Account::new("starter");
        let body = account.conversion().await;
        let faults = inject(&[conflicts(5)]);
        let job = account.accept(&body).await;
        drop(faults);
        assert_eq!(account.client.wait(&job).await["status"], "completed");
        assert_eq!(account.remaining().await.1, 1_998);
        assert_eq!(account.jobs().await, [job]);
    }

    #[tokio::test]
    async fn conflicts_without_end_are_told_to_come_back_and_cost_nothing() {
        let account = Account::new("starter");
        let (body, key) = (account.conversion().await, unique("conflict"));
        let before = account.usage().await;
        let impatient = Client::with_key(Some(&account.key));
        let faults = inject(&[conflicts(100_000)]);
        let answer = impatient.create_job(&body, Some(&key)).await;
        drop(faults);
        let title = "Too many requests";
        assert_problem(&answer, &problem(429, "rate_limited", title, "/jobs", true));
        assert_eq!(answer.header("retry-after"), "1");
        assert_eq!(account.usage().await, before);
        assert_eq!(account.jobs().await, Vec::<String>::new());
        accepted(&account.client.create_job(&body, Some(&key)).await);
    }

    #[tokio::test]
    async fn a_conflict_with_another_refusal_is_that_refusal() {
        let account = Account::new("starter");
        let body = account.conversion().await;
        account.set_used(0, 2_000);
        let faults = inject(&[conflicts(3)]);
        let answer = account.client.create_job(&body, None).await;
        drop(faults);
        assert_eq!(answer.refusal(), (402, "credits_exhausted".to_owned()));
    }
}
