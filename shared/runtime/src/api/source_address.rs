//! Source address of a request as API Gateway observed it. Headers such as `X-Forwarded-For` can be forged and are ignored.

use std::net::IpAddr;

use http::request::Parts;
use lambda_http::request::RequestContext;

/// Request extension with the source address, for servers without API Gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceAddress(pub IpAddr);

/// Returns the source address of a request.
pub(super) fn of(parts: &Parts) -> Option<IpAddr> {
    let extension = parts.extensions.get::<SourceAddress>();
    extension
        .map(|source| source.0)
        .or_else(|| by_gateway(parts))
}

fn by_gateway(parts: &Parts) -> Option<IpAddr> {
    match parts.extensions.get::<RequestContext>()? {
        RequestContext::ApiGatewayV2(context) => context.http.source_ip.as_ref()?.parse().ok(),
        _ => None,
    }
}
