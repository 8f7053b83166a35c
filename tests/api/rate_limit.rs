//! Burst rate limits per second and key.

/// Run alone, because all requests must be sent within one second.
mod alone {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use futures::future::join_all;
    use tests::client::{Client, Response};

    use crate::account::Account;
    use crate::problem::{assert_problem, expected_problem};

    /// Sends `count` concurrent requests within one clock second.
    async fn send_within_one_second(client: &Client, count: usize) -> Vec<Response> {
        for _ in 0..10 {
            let second = next_second().await;
            let responses = send_many(client, count).await;
            if seconds() == second {
                return responses;
            }
        }
        panic!("{count} requests did not fit into a second");
    }

    async fn next_second() -> u64 {
        let second = seconds();
        while seconds() == second {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        seconds()
    }

    fn seconds() -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs()
    }

    fn count_successes(responses: &[Response]) -> usize {
        responses
            .iter()
            .filter(|response| response.status == 200)
            .count()
    }

    #[tokio::test]
    async fn the_sixth_request_of_a_second_is_rate_limited() {
        let account = Account::new("free");
        let client = Client::with_key(Some(&account.key));
        let responses = send_within_one_second(&client, 12).await;
        assert_eq!(count_successes(&responses), 5);
        for response in responses.iter().filter(|response| response.status != 200) {
            let title = "Too many requests";
            assert_problem(
                response,
                &expected_problem(429, "rate_limited", title, "/usage", true),
            );
            assert_eq!(response.header("retry-after"), "1");
            assert_eq!(response.header("ratelimit-policy"), "\"burst\";q=5;w=1");
            assert_eq!(response.header("ratelimit"), "\"burst\";r=0;t=1");
        }
        let mut left: Vec<_> = responses
            .iter()
            .filter(|response| response.status == 200)
            .collect();
        left.sort_by_key(|response| response.header("ratelimit").to_owned());
        let left: Vec<_> = left
            .iter()
            .map(|response| response.header("ratelimit"))
            .collect();
        let expected: Vec<_> = (0..5)
            .map(|left| format!("\"burst\";r={left};t=1"))
            .collect();
        assert_eq!(left, expected);
        next_second().await;
        assert_eq!(client.get("/usage").await.status, 200);
    }

    #[tokio::test]
    async fn each_key_has_the_burst_limit_of_its_plan() {
        let account = Account::new("starter");
        let (_, other) = account.new_key(&[]);
        let (one, two) = (
            Client::with_key(Some(&account.key)),
            Client::with_key(Some(&other)),
        );
        let (first, second) = tokio::join!(
            send_within_one_second(&one, 25),
            send_within_one_second(&two, 20)
        );
        assert_eq!(
            (count_successes(&first), count_successes(&second)),
            (20, 20)
        );
        assert_eq!(second[0].header("ratelimit-policy"), "\"burst\";q=20;w=1");
        tests::stack::admin(&["account", "set-plan", &account.id, "--plan", "free"]);
        let free = send_within_one_second(&one, 8).await;
        assert_eq!(count_successes(&free), 5, "a changed plan applies at once");
    }

    #[tokio::test]
    async fn a_wrong_secret_does_not_count_and_sees_no_rate_limit_headers() {
        let account = Account::new("free");
        let right = Client::with_key(Some(&account.key));
        let wrong = Client::with_key(Some(&with_wrong_secret(&account.key)));
        for _ in 0..10 {
            let second = next_second().await;
            let before = send_many(&wrong, 10).await;
            let admissions = send_many(&right, 6).await;
            let after = send_many(&wrong, 3).await;
            for response in before.iter().chain(&after) {
                assert_eq!(response.problem(), (401, "invalid_api_key".to_owned()));
                assert_eq!(response.header("ratelimit"), "");
            }
            if seconds() == second {
                assert_eq!(count_successes(&admissions), 5);
                return;
            }
        }
        panic!("the requests did not fit into a second");
    }

    async fn send_many(client: &Client, count: usize) -> Vec<Response> {
        join_all((0..count).map(|_| client.get("/usage"))).await
    }

    /// A key with the same identifier, a valid checksum, and another secret.
    fn with_wrong_secret(key: &str) -> String {
        let id = key.split('_').nth(1).unwrap();
        crate::keys::key_with_id(id)
    }
}
