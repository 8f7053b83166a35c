//! Each rule: the breaking change, and its opposite, which is compatible.

use serde_json::json;

use super::*;

/// A description of one route.
fn route(operation: Value) -> Value {
    json!({"paths": {"/things": {"post": operation}}})
}

/// A route whose request body has this schema.
fn takes(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    route(json!({"requestBody": {"required": true, "content": content}}))
}

/// A route whose response has this schema.
fn responds(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    route(json!({"responses": {"200": {"content": content}}}))
}

/// Asserts that the change from `one` to `other` has these faults and the reverse change none.
#[track_caller]
fn one_way(one: &Value, other: &Value, faults: &[&str]) {
    assert_eq!(differences(one, other), faults);
    assert_eq!(differences(other, one), Vec::<String>::new());
    for same in [one, other] {
        assert_eq!(differences(same, same), Vec::<String>::new());
    }
}

#[test]
fn removing_a_route_is_breaking() {
    let both = json!({"paths": {"/things": {"get": {}, "post": {}}}});
    let one = json!({"paths": {"/things": {"get": {}}}});
    let none = json!({"paths": {}});
    one_way(&both, &one, &["POST /things: is gone"]);
    one_way(&one, &none, &["GET /things: is gone"]);
}

#[test]
fn removing_a_status_is_breaking() {
    let both = route(json!({"responses": {"200": {}, "404": {}}}));
    let one = route(json!({"responses": {"200": {}}}));
    one_way(&both, &one, &["POST /things 404: is gone"]);
}

#[test]
fn removing_a_response_header_is_breaking() {
    let with = route(json!({"responses": {"200": {"headers": {"ETag": {}}}}}));
    let without = route(json!({"responses": {"200": {"headers": {}}}}));
    let fault = "POST /things 200: has no header ETag any more";
    one_way(&with, &without, &[fault]);
}

#[test]
fn removing_a_media_type_is_breaking() {
    let both = json!({"application/json": {}, "text/plain": {}});
    let one = json!({"application/json": {}});
    for (place, under) in [("body", "requestBody"), ("200", "200")] {
        let with = |content: &Value| match under {
            "200" => route(json!({"responses": {"200": {"content": content}}})),
            _ => route(json!({"requestBody": {"content": content}})),
        };
        let fault = format!("POST /things {place}: is not available as text/plain any more");
        one_way(&with(&both), &with(&one), &[&fault]);
    }
}

#[test]
fn removing_a_response_member_is_breaking() {
    let both = json!({"type": "object", "properties": {"a": {}, "b": {}}});
    let one = json!({"type": "object", "properties": {"a": {}}});
    let fault = "POST /things 200 $.b: is gone";
    one_way(&responds(&both), &responds(&one), &[fault]);
}

#[test]
fn making_a_response_member_optional_is_breaking() {
    let properties = json!({"a": {"type": "string"}});
    let always = json!({"type": "object", "properties": properties, "required": ["a"]});
    let sometimes = json!({"type": "object", "properties": properties});
    let fault = "POST /things 200 $.a: may be missing now";
    one_way(&responds(&always), &responds(&sometimes), &[fault]);
}

#[test]
fn adding_a_response_type_is_breaking() {
    let text = json!({"type": "string"});
    let or_null = json!({"type": ["string", "null"]});
    let anything = json!({});
    let fault = "POST /things 200 $: may be null now";
    one_way(&responds(&text), &responds(&or_null), &[fault]);
    assert_eq!(differences(&responds(&text), &responds(&anything)).len(), 1);
}

#[test]
fn adding_a_response_value_is_compatible() {
    let one = responds(&json!({"type": "string", "enum": ["a"]}));
    let two = responds(&json!({"type": "string", "enum": ["a", "b"]}));
    assert_eq!(differences(&one, &two), Vec::<String>::new());
    assert_eq!(differences(&two, &one), Vec::<String>::new());
}

#[test]
fn removing_a_request_member_is_breaking() {
    let both = json!({"type": "object", "properties": {"a": {}, "b": {}}});
    let one = json!({"type": "object", "properties": {"a": {}}});
    one_way(
        &takes(&both),
        &takes(&one),
        &["POST /things body $.b: is gone"],
    );
}

#[test]
fn making_a_request_member_required_is_breaking() {
    let properties = json!({"a": {}, "b": {}});
    let free = json!({"type": "object", "properties": properties, "required": ["a"]});
    let asked = json!({"type": "object", "properties": properties, "required": ["a", "b"]});
    let fault = "POST /things body $.b: is required now";
    one_way(&takes(&free), &takes(&asked), &[fault]);
    // A new required member is breaking, too.
    let without = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
    assert_eq!(differences(&takes(&without), &takes(&asked)), [fault]);
}

#[test]
fn rejecting_unknown_request_members_is_breaking() {
    let open = json!({"type": "object"});
    let closed = json!({"type": "object", "additionalProperties": false});
    let fault = "POST /things body $: rejects unknown members now";
    one_way(&takes(&open), &takes(&closed), &[fault]);
}

#[test]
fn removing_a_request_value_is_breaking() {
    let two = json!({"type": "string", "enum": ["a", "b"]});
    let one = json!({"type": "string", "const": "a"});
    let any = json!({"type": "string"});
    let fault = "POST /things body $: does not accept \"b\" any more";
    one_way(&takes(&two), &takes(&one), &[fault]);
    let fault = "POST /things body $: accepts only listed values now";
    one_way(&takes(&any), &takes(&two), &[fault]);
}

#[test]
fn removing_a_request_type_is_breaking() {
    let both = json!({"type": ["string", "null"]});
    let text = json!({"type": "string"});
    let fault = "POST /things body $: may not be null any more";
    one_way(&takes(&both), &takes(&text), &[fault]);
    // Every integer is a number.
    let (integer, number) = (json!({"type": "integer"}), json!({"type": "number"}));
    let fault = "POST /things body $: may not be number any more";
    one_way(&takes(&number), &takes(&integer), &[fault]);
}

#[test]
fn narrowing_a_request_bound_is_breaking() {
    for (keyword, wide, narrow) in [
        ("maximum", json!(9), json!(8)),
        ("exclusiveMaximum", json!(9), json!(8)),
        ("maxLength", json!(9), json!(8)),
        ("maxItems", json!(9), json!(8)),
        ("maxProperties", json!(9), json!(8)),
        ("minimum", json!(1), json!(2)),
        ("exclusiveMinimum", json!(1), json!(2)),
        ("minLength", json!(1), json!(2)),
        ("minItems", json!(1), json!(2)),
        ("minProperties", json!(1), json!(2)),
    ] {
        let fault = format!("POST /things body $: {keyword} is {narrow} now");
        let bounded = |bound: &Value| takes(&json!({keyword: bound}));
        one_way(&bounded(&wide), &bounded(&narrow), &[&fault]);
        one_way(&takes(&json!({})), &bounded(&narrow), &[&fault]);
    }
}

#[test]
fn changing_a_request_pattern_is_breaking() {
    let fault = "POST /things body $: must match \"^a\" now";
    let with = takes(&json!({"pattern": "^a"}));
    one_way(&takes(&json!({})), &with, &[fault]);
    let other = takes(&json!({"pattern": "^b"}));
    assert_eq!(differences(&other, &with), [fault]);
}

#[test]
fn requiring_unique_items_is_breaking() {
    let fault = "POST /things body $: requires unique items now";
    let unique = takes(&json!({"uniqueItems": true}));
    one_way(&takes(&json!({})), &unique, &[fault]);
}

#[test]
fn making_a_body_required_is_breaking() {
    let body = |required: bool| route(json!({"requestBody": {"required": required}}));
    let fault = "POST /things body: is required now";
    one_way(&body(false), &body(true), &[fault]);
    one_way(&route(json!({})), &body(true), &[fault]);
}

#[test]
fn removing_a_parameter_is_breaking() {
    let parameter = json!({"name": "limit", "in": "query"});
    let with = route(json!({"parameters": [parameter]}));
    let without = route(json!({"parameters": []}));
    one_way(&with, &without, &["POST /things parameter limit: is gone"]);
}

#[test]
fn a_new_or_newly_required_parameter_is_breaking() {
    let with = |required: bool| {
        let parameter = json!({"name": "key", "in": "header", "required": required});
        route(json!({"parameters": [parameter]}))
    };
    let fault = "POST /things parameter key: is required now";
    one_way(&with(false), &with(true), &[fault]);
    let new = differences(&route(json!({})), &with(true));
    assert_eq!(new, ["POST /things parameter key: is new and required"]);
}

#[test]
fn narrowing_a_parameter_is_breaking() {
    let with = |most: u32| {
        let parameter = json!({"name": "limit", "in": "query", "schema": {"maximum": most}});
        route(json!({"parameters": [parameter]}))
    };
    let fault = "POST /things parameter limit: maximum is 50 now";
    one_way(&with(100), &with(50), &[fault]);
}

#[test]
fn removing_a_security_scheme_is_breaking() {
    let with = |security: Value| route(json!({"security": security}));
    let open = with(json!([]));
    let both = with(json!([{"key": ["read"]}, {"token": []}]));
    let more = with(json!([{"key": ["read", "write"]}, {"token": []}]));
    let token = with(json!([{"token": []}]));
    let fault = "POST /things: requires a credential now";
    one_way(&open, &both, &[fault]);
    let fault = "POST /things: key alone is not accepted any more";
    one_way(&both, &more, &[fault]);
    one_way(&both, &token, &[fault]);
}

#[test]
fn nested_schemas_are_compared() {
    let of = |schema: Value| json!({"type": "object", "properties": {"list": {"type": "array", "items": schema}}});
    let (two, one) = (
        of(json!({"type": "string", "enum": ["a", "b"]})),
        of(json!({"type": "string", "enum": ["a"]})),
    );
    let fault = "POST /things body $.list[]: does not accept \"b\" any more";
    one_way(&takes(&two), &takes(&one), &[fault]);
    let map = |most: u32| json!({"additionalProperties": {"maxLength": most}});
    let fault = "POST /things body $.*: maxLength is 2 now";
    one_way(&takes(&map(3)), &takes(&map(2)), &[fault]);
}

#[test]
fn references_are_followed_each_in_its_own_document() {
    let document = |most: u32| {
        let mut document = takes(&json!({"$ref": "#/components/schemas/Thing"}));
        let parts = json!({"type": "array", "items": {"$ref": "#/components/schemas/Thing"}});
        let thing = json!({"properties": {"name": {"maxLength": most}, "parts": parts}});
        document["components"] = json!({"schemas": {"Thing": thing}});
        document
    };
    let fault = "POST /things body $.name: maxLength is 2 now";
    one_way(&document(3), &document(2), &[fault]);
}

#[test]
fn removing_a_request_alternative_is_breaking() {
    let form = |name: &str| json!({"type": "object", "properties": {"operation": {"const": name}}});
    for keyword in ["oneOf", "anyOf"] {
        let both = takes(&json!({keyword: [form("crop"), form("turn")]}));
        let one = takes(&json!({keyword: [form("crop")]}));
        let fault = "POST /things body $.operation: does not accept \"turn\" any more";
        one_way(&both, &one, &[fault]);
        // Requiring one of several alternatives where none was required.
        let free = takes(&json!({"properties": {"a": {}, "b": {}}}));
        let either = json!({"properties": {"a": {}, "b": {}}, keyword: [{"required": ["a"]}]});
        assert!(!differences(&free, &takes(&either)).is_empty());
    }
}

#[test]
fn adding_a_response_alternative_is_breaking() {
    let [text, number] = [json!({"type": "string"}), json!({"type": "number"})];
    let one = responds(&json!({"oneOf": [text]}));
    let two = responds(&json!({"oneOf": [text, number]}));
    let fault = "POST /things 200 $: may be number now";
    one_way(&one, &two, &[fault]);
}

#[test]
fn all_of_constrains_a_request_and_guarantees_a_response() {
    let one = json!({"allOf": [{"maxLength": 9}]});
    let two = json!({"allOf": [{"maxLength": 9}, {"minLength": 1}]});
    one_way(
        &takes(&one),
        &takes(&two),
        &["POST /things body $: has more constraints now"],
    );
    one_way(
        &responds(&two),
        &responds(&one),
        &["POST /things 200 $: guarantees less now"],
    );
    let narrower = json!({"allOf": [{"maxLength": 8}]});
    let fault = "POST /things body $: maxLength is 8 now";
    one_way(&takes(&one), &takes(&narrower), &[fault]);
}
