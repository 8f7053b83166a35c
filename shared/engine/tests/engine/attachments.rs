//! Attached files: what `info` reports of them and of an electronic invoice, and which operations keep them.

use std::process::Command;

use domain::format::Format;
use domain::operation::{NoOptions, Operation};
use serde_json::{Value, json};
use task::{OUTPUT, Product};

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness};

/// A cross-industry invoice with these elements of its header.
pub(crate) fn invoice(guideline: &str, more: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>{guideline}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>R-2026/117</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20261123</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:ID>4711</ram:ID><ram:Name>Paper</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:ID>S1</ram:ID><ram:Name>M&#252;ller &amp; S&#246;hne</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name><![CDATA[Dupont <SA>]]></ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>{more}<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount><ram:DuePayableAmount>19.50</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"#
    )
}

/// A document of two pages with an invoice of this name, a file of an annotation on page 2, and a name without a content.
pub(crate) fn document(name: &str, xml: &[u8]) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R/AF[5 0 R]/Names<</EmbeddedFiles<</Kids[9 0 R]>>>>>>"
            .to_owned()
            .into_bytes(),
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 10 0 R>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 10 0 R/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[10 10 30 30]/FS 7 0 R>>]>>".to_vec(),
        format!("<</Type/Filespec/F({name})/UF({name})/Desc(Invoice)/AFRelationship/Alternative/EF<</F 6 0 R/UF 6 0 R>>>>").into_bytes(),
        stream(
            &format!("/Type/EmbeddedFile/Subtype/text#2Fxml/Params<</Size {}>>", xml.len()),
            xml,
        ),
        b"<</Type/Filespec/F(notes.txt)/EF<</F 8 0 R>>>>".to_vec(),
        stream("/Type/EmbeddedFile", b"some notes"),
        format!("<</Limits[({name})(none)]/Names[({name}) 5 0 R(none)<</Type/Filespec/F(none)>>]>>").into_bytes(),
        stream("", b"0 0 1 rg 20 20 100 100 re f"),
    ];
    pdf(&objects)
}

pub(crate) fn info(document: &[u8]) -> Value {
    let step = Operation::Info(NoOptions {});
    let result = harness::run_bytes(document, Format::Pdf, &[step]).unwrap();
    serde_json::from_slice(&result.bytes()).unwrap()
}

#[test]
fn attached_files_are_listed_with_their_properties() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let info = info(&document("factur-x.xml", xml.as_bytes()));
    assert_eq!(info["attachmentCount"], 2);
    let expected = json!([
        {"name": "factur-x.xml", "description": "Invoice", "mediaType": "text/xml", "size": xml.len(), "relationship": "Alternative", "page": null},
        {"name": "notes.txt", "description": null, "mediaType": null, "size": null, "relationship": null, "page": 2},
    ]);
    assert_eq!(info["attachments"], expected);
    let real = std::fs::read(corpus::file("pdf-text/fileAttachment.pdf")).unwrap();
    let real = self::info(&real);
    assert_eq!(real["attachmentCount"], 1, "{}", real["attachments"]);
    assert_eq!(real["eInvoice"], Value::Null);
}

#[test]
fn an_electronic_invoice_is_read_in_each_profile() {
    for (guideline, profile) in [
        ("urn:factur-x.eu:1p0:minimum", json!("minimum")),
        ("urn:factur-x.eu:1p0:basicwl", json!("basic-wl")),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic",
            json!("basic"),
        ),
        ("urn:cen.eu:en16931:2017", json!("en16931")),
        (
            "urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p1:extended",
            json!("extended"),
        ),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
            json!("xrechnung"),
        ),
        ("urn:example:other", Value::Null),
    ] {
        let xml = invoice(guideline, "");
        let info = info(&document("ZUGFeRD-invoice.xml", xml.as_bytes()));
        let expected = json!({
            "file": "ZUGFeRD-invoice.xml", "guideline": guideline, "profile": profile,
            "number": "R-2026/117", "typeCode": "380", "issueDate": "2026-11-23",
            "seller": "M\u{fc}ller & S\u{f6}hne", "buyer": "Dupont <SA>", "currency": "EUR",
            "netTotal": "100.00", "taxTotal": "19.00", "grossTotal": "119.00", "amountDue": "19.50",
        });
        assert_eq!(info["eInvoice"], expected);
    }
}

#[test]
fn other_xml_is_no_invoice() {
    let invoice = invoice("urn:cen.eu:en16931:2017", "");
    let bomb = format!(
        "<!DOCTYPE x [<!ENTITY a \"{}\">]>{invoice}",
        "a".repeat(1_000)
    );
    let nested = self::invoice("urn:cen.eu:en16931:2017", &"<a>".repeat(100));
    let unclosed = invoice.trim_end_matches("</rsm:CrossIndustryInvoice>");
    for xml in ["", "no XML", "<Invoice/>", &bomb, &nested, unclosed] {
        let info = info(&document("factur-x.xml", xml.as_bytes()));
        assert_eq!(info["eInvoice"], Value::Null, "{xml}");
        assert_eq!(info["attachmentCount"], 2, "{xml}");
    }
    let info = info(&document("data.xml", invoice.as_bytes()));
    assert_eq!(info["eInvoice"], Value::Null);
}

#[test]
fn operations_keep_attached_files() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let source = document("factur-x.xml", xml.as_bytes());
    for item in [
        json!({"operation": "optimize"}),
        json!({"operation": "encrypt", "ownerPassword": "owner"}),
        json!({"operation": "metadata", "title": "Invoice"}),
        json!({"operation": "watermark", "text": "PAID"}),
        json!({"operation": "page-numbers"}),
        json!({"operation": "rotate", "angle": 90}),
        json!({"operation": "reorder", "order": [2, 1]}),
        json!({"operation": "delete-pages", "pages": "2"}),
        json!({"operation": "flatten"}),
        json!({"operation": "repair"}),
    ] {
        let step = Operation::read(&item, "$").unwrap();
        let result = harness::run_bytes(&source, Format::Pdf, &[step]).unwrap();
        let shown = Command::new("qpdf")
            .arg("--show-attachment=factur-x.xml")
            .arg(result.path())
            .output()
            .unwrap();
        assert_eq!(shown.stdout, xml.as_bytes(), "{item}");
        let info = info(&result.bytes());
        assert_eq!(info["eInvoice"]["grossTotal"], "119.00", "{item}");
        assert_eq!(
            info["attachments"][0]["relationship"], "Alternative",
            "{item}"
        );
    }
}

/// A document with these entries of the catalog and these objects from number 4.
fn with_files(catalog: &str, files: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>".to_vec(),
    ];
    objects.extend_from_slice(files);
    pdf(&objects)
}

#[test]
fn unusual_attached_files_are_listed() {
    let named = |names: &str| format!("/Names<</EmbeddedFiles<</Names[{names}]>>>>");
    let content = || stream("/Type/EmbeddedFile", b"content");
    for (document, names) in [
        // The same content under two names.
        (
            with_files(
                &named("(a)<</F(a.txt)/EF<</F 4 0 R>>>>(b)<</F(b.txt)/EF<</F 4 0 R>>>>"),
                &[content()],
            ),
            json!(["a.txt", "b.txt"]),
        ),
        // The keys of file names of PDF 1.4 and earlier.
        (
            with_files(
                &named("(a)<</DOS(OLD.TXT)/EF<</DOS 4 0 R>>>>"),
                &[content()],
            ),
            json!(["OLD.TXT"]),
        ),
        // Without a file name: the key of the tree.
        (
            with_files(&named("(key.txt)<</EF<</F 4 0 R>>>>"), &[content()]),
            json!(["key.txt"]),
        ),
        // Associated only.
        (
            with_files("/AF[<</F(only.txt)/EF<</F 4 0 R>>>>]", &[content()]),
            json!(["only.txt"]),
        ),
        // Two files of the same name.
        (
            with_files(
                &named("(a)<</F(a.txt)/EF<</F 4 0 R>>>>(b)<</F(a.txt)/EF<</F 5 0 R>>>>"),
                &[content(), stream("/Type/EmbeddedFile", b"other")],
            ),
            json!(["a.txt", "a.txt"]),
        ),
    ] {
        let found = info(&document);
        let listed = found["attachments"].as_array().unwrap().iter();
        let listed: Value = listed.map(|file| file["name"].clone()).collect();
        assert_eq!(listed, names);
    }
}

#[test]
fn an_invoice_that_is_only_associated_is_a_file_and_no_invoice() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let file = stream("/Type/EmbeddedFile", xml.as_bytes());
    let document = with_files("/AF[<</F(factur-x.xml)/EF<</F 4 0 R>>>>]", &[file]);
    let info = info(&document);
    assert_eq!(info["attachmentCount"], 1);
    assert_eq!(info["eInvoice"], Value::Null);
}

#[test]
fn totals_are_in_the_currency_of_the_invoice() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let one = r#"<ram:TaxTotalAmount currencyID="EUR">"#;
    let both = format!(r#"<ram:TaxTotalAmount currencyID="SEK">211.85</ram:TaxTotalAmount>{one}"#);
    let info = info(&document(
        "factur-x.xml",
        xml.replace(one, &both).as_bytes(),
    ));
    assert_eq!(info["eInvoice"]["taxTotal"], "19.00");
}

#[test]
fn an_invoice_of_zugferd_1_is_read() {
    let xml = r#"<?xml version="1.0"?>
<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">
<rsm:SpecifiedExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:comfort</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:SpecifiedExchangedDocumentContext>
<rsm:HeaderExchangedDocument><ram:ID>471102</ram:ID><ram:Name>RECHNUNG</ram:Name><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20130305</udt:DateTimeString></ram:IssueDateTime></rsm:HeaderExchangedDocument>
<rsm:SpecifiedSupplyChainTradeTransaction>
<ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Lieferant GmbH</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Kunden AG</ram:Name></ram:BuyerTradeParty></ram:ApplicableSupplyChainTradeAgreement>
<ram:ApplicableSupplyChainTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementMonetarySummation><ram:TaxBasisTotalAmount currencyID="EUR">198.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">37.62</ram:TaxTotalAmount><ram:GrandTotalAmount currencyID="EUR">235.62</ram:GrandTotalAmount><ram:DuePayableAmount currencyID="EUR">235.62</ram:DuePayableAmount></ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>
</rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>"#;
    let info = info(&document("ZUGFeRD-invoice.xml", xml.as_bytes()));
    let expected = json!({
        "file": "ZUGFeRD-invoice.xml", "guideline": "urn:ferd:CrossIndustryDocument:invoice:1p0:comfort",
        "profile": "comfort", "number": "471102", "typeCode": "380", "issueDate": "2013-03-05",
        "seller": "Lieferant GmbH", "buyer": "Kunden AG", "currency": "EUR",
        "netTotal": "198.00", "taxTotal": "37.62", "grossTotal": "235.62", "amountDue": "235.62",
    });
    assert_eq!(info["eInvoice"], expected);
}

#[test]
fn verification_rejects_wrong_lists_and_invoices() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let source = document("factur-x.xml", xml.as_bytes());
    let right = info(&source);
    let changed = |pointer: &str, value: Value| {
        let mut wrong = right.clone();
        *wrong.pointer_mut(pointer).unwrap() = value;
        wrong
    };
    let accepts = |result: &Value| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("source.pdf");
        std::fs::write(&path, &source).unwrap();
        std::fs::write(directory.path().join(OUTPUT), result.to_string()).unwrap();
        let mut task =
            harness::conversion_task((&path, Format::Pdf), Format::Json, directory.path());
        task.operation = Operation::Info(NoOptions {});
        verify::pdf_info(&task, &Product::default()).is_ok()
    };
    assert!(accepts(&right));
    for (pointer, value) in [
        ("/attachments", json!([])),
        ("/attachments/0/name", json!("other.xml")),
        ("/eInvoice/number", json!("4711")),
        ("/eInvoice/seller", right["eInvoice"]["buyer"].clone()),
        ("/eInvoice/currency", json!("USD")),
        ("/eInvoice/netTotal", json!("119.00")),
        ("/eInvoice/taxTotal", json!("1")),
        ("/eInvoice/grossTotal", json!("119.0")),
        ("/eInvoice/file", json!("notes.txt")),
    ] {
        let mut wrong = changed(pointer, value);
        if pointer == "/attachments" {
            wrong["attachmentCount"] = json!(0);
        }
        assert!(!accepts(&wrong), "{pointer}");
    }
}
