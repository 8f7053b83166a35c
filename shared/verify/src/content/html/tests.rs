use super::*;
use crate::content::test_files;

fn items(page: &str, scope: Scope) -> Vec<String> {
    let read = |path: &Path, take: Take<'_>| read(path, scope, take);
    let items = test_files::items(page.as_bytes(), read).unwrap();
    let items = items.split('|').map(str::trim);
    items
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

fn words(page: &str) -> Vec<String> {
    items(page, Scope::default())
}

fn cells(page: &str) -> Vec<String> {
    let tables_only = Scope {
        tables_only: true,
        ..Scope::default()
    };
    items(page, tables_only)
}

#[test]
fn a_visible_drawing_is_an_image() {
    let page = "<svg><svg><text>a</text></svg></svg><svg aria-hidden=true></svg><svg/><div hidden><svg></svg></div><svg></svg>b";
    assert_eq!(
        words(page).join(" ").matches('*').count(),
        3,
        "{:?}",
        words(page)
    );
}

#[test]
fn inputs_show_their_value() {
    let page = "<p>a<input value=b>c<input type=submit value=d><input type=Hidden value=e>\
        <input type=password value=f><div hidden><input value=g></div><input hidden value=h>";
    assert_eq!(words(page), ["a", "b", "c", "d"]);
}

#[test]
fn lists_show_selected_options_or_the_first() {
    let page = "<select>a<option>b<option selected>c<optgroup label=d><option selected>e</select>f";
    assert_eq!(words(page), ["c", "e", "f"]);
    let page = "<select><option>a</option><option><b>b</b></option></select><datalist><option>c</datalist>";
    assert_eq!(words(page), ["a"]);
    assert_eq!(words("<select><option>a<input value=b>c"), ["a", "b", "c"]);
    assert_eq!(words("a<select><option>b"), ["a", "b"]);
    assert_eq!(words("<p hidden><select><option>a</select></p>b"), ["b"]);
}

#[test]
fn frames_show_their_own_page() {
    let frame =
        "<iframe srcdoc='<head><title>a</title></head><p>b<iframe srcdoc=c></iframe>'>d</iframe>";
    assert_eq!(words(&format!("{frame}e")), ["b", "e"]);
    assert_eq!(
        words("<div style='display: none'><iframe srcdoc=a></iframe></div>b"),
        ["b"]
    );
    let page = format!(
        "{frame}<table><tr><td>e{frame}</table><iframe srcdoc='f<table><tr><td>g'></iframe>"
    );
    assert_eq!(cells(&page), ["e", "b", "g"]);
}

#[test]
fn templates_and_dialogs_are_shown_if_their_attributes_say_so() {
    let page = "<div><template shadowrootmode=open><p>a</p></template></div><template>b</template>\
        <dialog open>c</dialog><dialog>d</dialog>e";
    assert_eq!(words(page), ["a", "c", "e"]);
}

#[test]
fn a_caption_ends_with_the_first_row() {
    let page = "<table><caption>a<tr><td>b<tr><td>c</table>";
    assert_eq!(cells(page), ["b", "&c"]);
}

#[test]
fn lists_contain_neither_scripts_nor_lists() {
    let page = "<select><script>document.write('<option>' + a)</script><option>b</select>c";
    assert_eq!(words(page), ["b", "c"]);
    assert_eq!(words("<select><option>a<select>b"), ["a", "b"]);
}
