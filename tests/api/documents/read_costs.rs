//! Number of AWS requests of the library's read routes, from the emulator's wire log.

/// Run alone, because the wire log counts the requests of the whole stack.
mod alone {
    use domain::library::Words;
    use domain::ports::Library;
    use tests::wire::{assert_at_most, during};

    use crate::account::Account;
    use tests::library_fixture::LibraryFixture;

    /// Asserts that `GET path` makes at most `most` DynamoDB requests and no others.
    async fn assert_reads(account: &Account, path: &str, most: usize) {
        let (response, requests) = during("documents", account.client.get(path)).await;
        assert!([200, 302].contains(&response.status), "{}", response.text());
        assert_at_most(&requests, &[("dynamodb", most)], path);
    }

    #[tokio::test]
    async fn lists_and_searches_cost_the_same_for_ten_documents_and_a_megabyte_of_records() {
        let account = Account::new("business");
        let mut library = LibraryFixture::open(&account.id).await;
        let words = Words::of("paper and ink");
        let mut last = None;
        for number in 0..250 {
            let id = library.add_large_record("scan.pdf").await;
            if number < 10 {
                let indexed = library.services.index_words(&library.account, &id, &words);
                assert!(indexed.await.unwrap());
            }
            last = Some(id);
            if ![9, 249].contains(&number) {
                continue;
            }
            account.client.get("/documents").await;
            assert_reads(&account, "/documents", 2).await;
            assert_reads(&account, "/documents/search?q=ink", 4).await;
            // Only matches with indexed words need another request; the newest fifty have none.
            let by_name = if number == 9 { 4 } else { 3 };
            assert_reads(&account, "/documents/search?q=scan", by_name).await;
            assert_reads(&account, "/documents/search?tags=none", 2).await;
        }
        let path = format!("/documents/{}", last.unwrap());
        assert_reads(&account, &path, 3).await;
        assert_reads(&account, &format!("{path}/download"), 2).await;
    }
}
