//! Host names of the service itself, taken from the request, so that the URL guard can block them.

use http::header::HOST;
use http::request::Parts;
use lambda_http::request::RequestContext;

/// Returns the `Host` header, the custom domain and the API's `execute-api` host name, which works in addition to any custom
/// domain. The template cannot pass that name as a variable: the API depends on the functions that would receive it.
pub(super) fn all(parts: &Parts) -> Vec<String> {
    let authority = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
    let host_header = authority.and_then(|authority| authority.split(':').next());
    let region = std::env::var("AWS_REGION").unwrap_or_default();
    let mut hosts = by_gateway(parts, &region);
    hosts.extend(host_header.map(str::to_owned));
    hosts
}

fn by_gateway(parts: &Parts, region: &str) -> Vec<String> {
    let Some(RequestContext::ApiGatewayV2(context)) = parts.extensions.get() else {
        return Vec::new();
    };
    let api = context.apiid.as_ref();
    let default = api.map(|api| format!("{api}.execute-api.{region}.{}", suffix(region)));
    context.domain_name.iter().cloned().chain(default).collect()
}

/// Returns the DNS suffix of AWS endpoints in `region`.
fn suffix(region: &str) -> &'static str {
    match region.starts_with("cn-") {
        true => "amazonaws.com.cn",
        false => "amazonaws.com",
    }
}

#[cfg(test)]
mod tests {
    use http::Request;
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;

    use super::*;

    #[test]
    fn the_execute_api_host_is_included_with_a_custom_domain() {
        let mut context = ApiGatewayV2httpRequestContext::default();
        context.apiid = Some("a1b2c3".to_owned());
        context.domain_name = Some("api.octavo.example".to_owned());
        let request = Request::builder()
            .header("host", "octavo.example:443")
            .extension(RequestContext::ApiGatewayV2(context));
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let own = "a1b2c3.execute-api.eu-west-1.amazonaws.com";
        assert_eq!(by_gateway(&parts, "eu-west-1"), ["api.octavo.example", own]);
        let in_china = by_gateway(&parts, "cn-north-1").pop().unwrap();
        assert!(in_china.ends_with(".cn-north-1.amazonaws.com.cn"));
        assert_eq!(all(&parts).last().unwrap(), "octavo.example");
    }
}
