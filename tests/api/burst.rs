//! Burst limits: so many requests a second and key.

/// Whether requests fall into the same second depends on what else the machine does.
mod alone {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use futures::future::join_all;
    use tests::client::{Answer, Client};

    use crate::account::Account;
    use crate::refusal::{assert_problem, problem};

    /// Sends `count` requests within one second of the clock, at the same time.
    async fn within_a_second(client: &Client, count: usize) -> Vec<Answer> {
        for _ in 0..10 {
            let second = next_second().await;
            let answers = many(client, count).await;
            if seconds() == second {
                return answers;
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

    fn admitted(answers: &[Answer]) -> usize {
        answers.iter().filter(|answer| answer.status == 200).count()
    }

    #[tokio::test]
    async fn the_sixth_request_of_a_second_is_told_to_slow_down() {
        let account = Account::new("free");
        let client = Client::with_key(Some(&account.key));
        let answers = within_a_second(&client, 12).await;
        assert_eq!(admitted(&answers), 5);
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            let title = "Too many requests";
            assert_problem(answer, &problem(429, "rate_limited", title, "/usage", true));
            assert_eq!(answer.header("retry-after"), "1");
            assert_eq!(answer.header("ratelimit-policy"), "\"burst\";q=5;w=1");
            assert_eq!(answer.header("ratelimit"), "\"burst\";r=0;t=1");
        }
        let mut left: Vec<_> = answers
            .iter()
            .filter(|answer| answer.status == 200)
            .collect();
        left.sort_by_key(|answer| answer.header("ratelimit").to_owned());
        let left: Vec<_> = left
            .iter()
            .map(|answer| answer.header("ratelimit"))
            .collect();
        let expected: Vec<_> = (0..5)
            .map(|left| format!("\"burst\";r={left};t=1"))
            .collect();
        assert_eq!(left, expected);
        next_second().await;
        assert_eq!(client.get("/usage").await.status, 200);
    }

    #[tokio::test]
    async fn each_plan_and_each_key_has_its_own_burst() {
        let account = Account::new("starter");
        let (_, other) = account.new_key(&[]);
        let (one, two) = (
            Client::with_key(Some(&account.key)),
            Client::with_key(Some(&other)),
        );
        let (first, second) = tokio::join!(within_a_second(&one, 25), within_a_second(&two, 20));
        assert_eq!((admitted(&first), admitted(&second)), (20, 20));
        assert_eq!(second[0].header("ratelimit-policy"), "\"burst\";q=20;w=1");
        tests::stack::admin(&["account", "set-plan", &account.id, "--plan", "free"]);
        let free = within_a_second(&one, 8).await;
        assert_eq!(admitted(&free), 5, "the keys follow the plan at once");
    }

    #[tokio::test]
    async fn a_wrong_secret_uses_up_nothing_and_learns_nothing() {
        let account = Account::new("free");
        let right = Client::with_key(Some(&account.key));
        let wrong = Client::with_key(Some(&with_wrong_secret(&account.key)));
        for _ in 0..10 {
            let second = next_second().await;
            let before = many(&wrong, 10).await;
            let admissions = many(&right, 6).await;
            let after = many(&wrong, 3).await;
            for answer in before.iter().chain(&after) {
                assert_eq!(answer.refusal(), (401, "invalid_api_key".to_owned()));
                assert_eq!(answer.header("ratelimit"), "");
            }
            if seconds() == second {
                assert_eq!(admitted(&admissions), 5);
                return;
            }
        }
        panic!("the requests did not fit into a second");
    }

    async fn many(client: &Client, count: usize) -> Vec<Answer> {
        join_all((0..count).map(|_| client.get("/usage"))).await
    }

    /// A key with the same identifier whose checksum is right.
    fn with_wrong_secret(key: &str) -> String {
        let id = key.split('_').nth(1).unwrap();
        crate::keys::key_with_id(id)
    }
}
