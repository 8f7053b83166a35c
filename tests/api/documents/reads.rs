//! How many requests to AWS each route of the library makes, counted at the emulator's wire.

/// Nothing else calls meanwhile.
mod alone {
    use domain::library::Words;
    use domain::ports::Library;
    use tests::wire::{assert_at_most, during};

    use crate::account::Account;
    use tests::shelf::Shelf;

    /// Fails where reading `path` takes more than `most` requests to the tables, or any other.
    async fn assert_reads(account: &Account, path: &str, most: usize) {
        let (answer, asked) = during("documents", account.client.get(path)).await;
        assert!([200, 302].contains(&answer.status), "{}", answer.text());
        assert_at_most(&asked, &[("dynamodb", most)], path);
    }

    #[tokio::test]
    async fn a_page_and_a_search_ask_as_often_for_ten_documents_as_for_thousands() {
        let account = Account::new("business");
        let mut shelf = Shelf::of(&account.id).await;
        let words = Words::of("paper and ink");
        let mut last = None;
        for number in 0..2_500_u32 {
            let id = shelf.put("scan.pdf").await;
            if number < 10 {
                let indexed = shelf.services.index_words(&shelf.account, &id, &words);
                assert!(indexed.await.unwrap());
            }
            last = Some(id);
            if ![9, 2_499].contains(&number) {
                continue;
            }
            account.client.get("/documents").await;
            assert_reads(&account, "/documents", 2).await;
            assert_reads(&account, "/documents/search?q=ink", 4).await;
            // Of those found by name, the ones with words are looked up: the newest fifty have none.
            let by_name = if number == 9 { 4 } else { 3 };
            assert_reads(&account, "/documents/search?q=scan", by_name).await;
            assert_reads(&account, "/documents/search?tags=none", 2).await;
        }
        let path = format!("/documents/{}", last.unwrap());
        assert_reads(&account, &path, 3).await;
        assert_reads(&account, &format!("{path}/download"), 2).await;
    }
}
