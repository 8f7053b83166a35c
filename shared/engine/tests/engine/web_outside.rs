//! Whatever HTML or Markdown asks for: no file's content is in a result, and nothing goes out.

use std::net::{TcpListener, UdpSocket};
use std::path::Path;

use domain::format::Format;
use tempfile::TempDir;

use crate::{poppler, rig};

/// What the files say that nobody may read, and the colour that they show.
const MARKER: &str = "sesame4711";
const COLOUR: [u8; 3] = [255, 0, 255];

/// Documents that are waited for at a time.
const WAITING: usize = 6;

/// Files that each kind of reference would show if it reached them.
fn markers() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        std::fs::write(directory.path().join(name), text).unwrap();
    };
    let paint = "background: #ff00ff !important";
    write("m.txt", MARKER.to_owned());
    write("m.html", format!("<body style='{paint}'>{MARKER}"));
    write(
        "m.css",
        format!("body {{ {paint} }} body::after {{ content: '{MARKER}' }}"),
    );
    write(
        "m.js",
        format!("document.body.append('{MARKER}'); document.body.style.background = '#ff00ff'"),
    );
    write(
        "m.mjs",
        format!("document.body.append('{MARKER}'); export default 1"),
    );
    write(
        "m.svg",
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' id='m' width='200' height='200'>\
             <rect id='r' width='200' height='200' fill='#ff00ff'/><text y='20'>{MARKER}</text></svg>"
        ),
    );
    write(
        "m.vtt",
        format!("WEBVTT\n\n00:00.000 --> 00:09.000\n{MARKER}\n"),
    );
    directory
}

/// Everything by which a document can ask for something at `base`.
pub(crate) fn references(base: &str) -> Vec<String> {
    let elements = [
        "<img src='{}/m.svg'>",
        "<img srcset='{}/m.svg 1x, {}/m.svg 2x' loading=lazy>",
        "<picture><source srcset='{}/m.svg'><img></picture>",
        "<input type=image src='{}/m.svg'>",
        "<iframe src='{}/m.html'></iframe><iframe src='{}/m.txt' loading=lazy></iframe>",
        "<iframe srcdoc=\"<base href='{}/'><img src=m.svg><iframe src=m.html></iframe>\"></iframe>",
        "<iframe src='view-source:{}/m.txt'></iframe>",
        "<frameset><frame src='{}/m.html'></frameset>",
        "<object data='{}/m.svg'></object><embed src='{}/m.html'>",
        "<link rel=stylesheet href='{}/m.css'><link rel=preload as=fetch href='{}/m.txt'>",
        "<link rel=import href='{}/m.html'><link rel=prefetch href='{}/m.html'><link rel=dns-prefetch href='{}'>",
        "<style>@import '{}/m.css'; body { background: url('{}/m.svg') }</style>",
        "<style>@font-face { font-family: m; src: url('{}/m.svg') } p { font-family: m }</style>",
        "<style>p::before { content: url('{}/m.svg') } li { list-style-image: url('{}/m.svg') }</style><ul><li>x</ul>",
        "<style>@page { @top-center { content: url('{}/m.svg') } }</style>",
        "<script src='{}/m.js'></script><script type=module src='{}/m.mjs'></script>",
        "<svg width=200 height=200><image href='{}/m.svg' width=200 height=200 /><use href='{}/m.svg#m' /></svg>",
        "<svg width=200 height=200><rect width=200 height=200 fill=\"url('{}/m.svg#r')\" /></svg>",
        "<svg><foreignObject width=200 height=200><iframe src='{}/m.html'></iframe></foreignObject></svg>",
        "<video poster='{}/m.svg' controls><track default src='{}/m.vtt'></video><audio src='{}/m.txt'></audio>",
        "<base href='{}/'><img src=m.svg><link rel=stylesheet href=m.css>",
        "<meta http-equiv=refresh content='0;url={}/m.html'>",
        "<a href='{}/m.html' ping='{}/ping' id=a>x</a><script>a.click()</script>",
        "<form action='{}/m.html' id=f></form><script>f.submit()</script>",
    ];
    let scripts = [
        "fetch('{}/m.txt').then(r => r.text()).then(t => document.body.append(t))",
        "fetch('{}/m.txt', {mode: 'no-cors'}).then(r => r.text()).then(t => document.body.append(t))",
        "const x = new XMLHttpRequest(); x.open('GET', '{}/m.txt', false); x.send(); document.body.append(x.responseText)",
        "import('{}/m.mjs').then(m => document.body.append(m.default))",
        "new Worker('{}/m.js'); new SharedWorker('{}/m.js')",
        "new Worker(URL.createObjectURL(new Blob([\"importScripts('{}/m.js')\"])))",
        "const i = document.createElement('iframe'); i.src = '{}/m.html'; document.body.append(i)",
        "const w = window.open('{}/m.html'); document.body.append(w ? w.document.body.innerText : '')",
        "location = '{}/m.html'",
        "location.replace('view-source:{}/m.txt')",
        "history.pushState({}, '', '{}/m.html'); location.reload()",
        "new FontFace('m', \"url('{}/m.svg')\").load()",
        "new EventSource('{}/m.txt'); navigator.sendBeacon('{}/m.txt', 'x')",
        "navigator.serviceWorker.register('{}/m.js')",
        "document.body.innerHTML += \"<img src='{}/m.svg'>\"",
        "const i = new Image(); i.crossOrigin = ''; i.onload = () => document.body.append(i); i.src = '{}/m.svg'",
        "showOpenFilePicker().then(([f]) => f.getFile()).then(f => f.text()).then(t => document.body.append(t))",
        "webkitRequestFileSystem(0, 9, fs => fs.root.getFile('{}/m.txt', {}, e => document.body.append(e.name)))",
    ];
    let scripts = scripts.iter().map(|script| {
        format!("<script>try {{ {script} }} catch (e) {{ console.log(e) }}</script>")
    });
    let all = elements.iter().map(ToString::to_string).chain(scripts);
    all.map(|text| {
        text.replace("{}/", &format!("{base}/"))
            .replace("'{}'", &format!("'{base}'"))
    })
    .collect()
}

/// Whether a reference leads away from the page, so that it cannot be tested together with others.
fn leaves(text: &str) -> bool {
    ["location", "refresh", "frameset", ".click()", ".submit()"]
        .iter()
        .any(|leaving| text.contains(leaving))
}

fn is_frames(text: &str) -> bool {
    text.starts_with("<frameset")
}

/// A page with these references. Frames stand in place of a body.
fn page(references: &str) -> String {
    let body = match is_frames(references) {
        true => "",
        false => "<p>here</p>",
    };
    format!("{body}{references}")
}

/// Neither text nor colour of a marker is in a print or a picture of these documents. A page that leads nowhere is waited
/// for, which costs time and no work, so many are converted at a time.
fn assert_unseen(documents: &[String], format: Format) {
    let cases = documents
        .iter()
        .flat_map(|document| [Format::Pdf, Format::Png].map(|to| (document, to)));
    rig::side_by_side(WAITING, cases.collect(), |(document, to)| {
        let made = rig::run_bytes(document.as_bytes(), format, &[rig::convert(to)]);
        let made = made.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
        let picture = match to {
            Format::Pdf => printed(document, made.path()),
            _ => image::load_from_memory(&made.bytes()).unwrap().to_rgb8(),
        };
        let seen = picture.pixels().filter(|pixel| pixel.0 == COLOUR).count();
        assert_eq!(seen, 0, "{document} to {to}");
        let bytes = made.bytes();
        let marker = MARKER.as_bytes();
        assert!(
            !bytes.windows(marker.len()).any(|part| part == marker),
            "{document} to {to}"
        );
    });
}

fn printed(document: &str, pdf: &Path) -> image::RgbImage {
    let text = poppler::texts(pdf).join(" ");
    assert!(
        !text.contains(MARKER) && !text.contains("root:"),
        "{document}: {text}"
    );
    poppler::picture(pdf, 1, 40)
}

#[test]
fn the_markers_would_be_seen() {
    // Else the tests below would pass whatever happens.
    let svg = std::fs::read_to_string(markers().path().join("m.svg")).unwrap();
    let made = rig::run_bytes(svg.as_bytes(), Format::Html, &[rig::convert(Format::Pdf)]).unwrap();
    assert!(poppler::texts(made.path())[0].contains(MARKER));
    let page = poppler::picture(made.path(), 1, 40);
    assert!(page.pixels().any(|pixel| pixel.0 == COLOUR));
}

#[test]
fn no_file_is_ever_in_a_result() {
    let markers = markers();
    let places = [
        format!("file://{}", markers.path().display()),
        format!("file://localhost{}", markers.path().display()),
        format!("filesystem:file://{}", markers.path().display()),
    ];
    // Each document costs two browsers, so all that stays on the page stands in one.
    let mut documents = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let (leaving, staying): (Vec<_>, Vec<_>) =
            references(place).into_iter().partition(|text| leaves(text));
        documents.push(page(&staying.concat()));
        match index {
            0 => documents.extend(leaving.iter().map(|text| page(text))),
            _ => {
                let in_body = leaving.iter().filter(|text| !is_frames(text));
                documents.push(page(&in_body.cloned().collect::<String>()));
            }
        }
    }
    assert_unseen(&documents, Format::Html);
}

#[test]
fn markdown_reaches_no_file_either() {
    let markers = markers();
    let base = format!("file://{}", markers.path().display());
    let own =
        format!("here ![]({base}/m.svg) [link]({base}/m.html)\n\n![a][b]\n\n[b]: {base}/m.svg\n\n");
    let html = references(&base);
    let html = html.iter().filter(|text| !text.contains("frameset"));
    let document = own + &html.cloned().collect::<Vec<_>>().join("\n\n");
    assert_unseen(&[document], Format::Markdown);
}

#[test]
fn nothing_goes_out_whatever_is_made_of_a_document() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = tcp.local_addr().unwrap().port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let all = references(&format!("http://127.0.0.1:{port}"));
    let mut cases = vec![(page(&all.concat()), Format::Markdown, Format::Pdf, false)];
    let (leaving, staying): (Vec<_>, Vec<_>) = all.into_iter().partition(|text| leaves(text));
    // Some of each seven ask by themselves, without a hand that picks a file.
    let staying = staying.chunks(7).map(|some| (some.concat(), true));
    let leaving = leaving.into_iter().map(|text| (text, false));
    cases.extend(staying.chain(leaving).flat_map(|(references, asks)| {
        [Format::Pdf, Format::Png].map(|to| (page(&references), Format::Html, to, asks))
    }));
    rig::side_by_side(WAITING, cases, |(document, format, to, asks)| {
        let made = rig::run_bytes(document.as_bytes(), format, &[rig::convert(to)]);
        let made = made.unwrap_or_else(|error| panic!("{document} to {to}: {error:?}"));
        if asks {
            assert_eq!(made.warnings(), ["external_link_blocked"], "{document}");
        }
        // Of this document, or of one that is converted at the same time.
        assert!(tcp.accept().is_err(), "a connection was made by {document}");
        assert!(
            udp.recv(&mut [0; 64]).is_err(),
            "a datagram was sent by {document}"
        );
    });
}
