//! How many requests to AWS each route of the library makes, counted at the emulator's wire.

/// Nothing else calls meanwhile.
mod alone {
    use domain::library::Words;
    use domain::ports::library::ChangeLibrary;
    use tests::stack::stack;
    use tests::wire;

    use crate::account::Account;
    use tests::shelf::Shelf;

    const GATE: &str = "dynamodb UpdateItem";
    const QUERY: &str = "dynamodb Query";
    const ITEM: &str = "dynamodb GetItem";
    const BATCH: &str = "dynamodb BatchGetItem";

    /// What the function asked of AWS, in order.
    async fn asked(account: &Account, path: &str) -> Vec<String> {
        let before = wire::requests().len();
        let answer = account.client.get(path).await;
        assert!([200, 302].contains(&answer.status), "{}", answer.text());
        let name = &stack().resources.functions["documents"];
        let own = wire::requests().split_off(before).into_iter();
        let own = own.filter(|request| request.function.as_ref() == Some(name));
        own.map(|request| format!("{} {}", request.service, request.operation))
            .collect()
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
            assert_eq!(
                asked(&account, "/documents").await,
                [GATE, QUERY],
                "{number}"
            );
            let by_text = asked(&account, "/documents/search?q=ink").await;
            assert_eq!(by_text, [GATE, QUERY, BATCH, QUERY], "{number}");
            // Of those found by name, the ones with words are looked up: the newest fifty have none.
            let by_name = asked(&account, "/documents/search?q=scan").await;
            let in_order = [GATE, QUERY, QUERY, BATCH];
            let most = if number == 9 { 4 } else { 3 };
            assert_eq!(by_name, in_order[..most], "{number}");
            let by_nothing = asked(&account, "/documents/search?tags=none").await;
            assert_eq!(by_nothing, [GATE, QUERY], "{number}");
        }
        let path = format!("/documents/{}", last.unwrap());
        assert_eq!(asked(&account, &path).await, [GATE, ITEM, QUERY]);
        let download = asked(&account, &format!("{path}/download")).await;
        assert_eq!(download, [GATE, ITEM]);
    }
}
