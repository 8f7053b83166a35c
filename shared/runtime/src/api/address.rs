//! The address that a request came from, as the gateway saw it: no header, which anybody can write.

use std::net::IpAddr;

use http::request::Parts;
use lambda_http::request::RequestContext;

/// An extension of a request that tells where it came from, for those who serve without a gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceAddress(pub IpAddr);

/// The address of a request.
pub(super) fn of(parts: &Parts) -> Option<IpAddr> {
    let told = parts.extensions.get::<SourceAddress>();
    told.map(|told| told.0).or_else(|| by_gateway(parts))
}

fn by_gateway(parts: &Parts) -> Option<IpAddr> {
    match parts.extensions.get::<RequestContext>()? {
        RequestContext::ApiGatewayV2(context) => context.http.source_ip.as_ref()?.parse().ok(),
        _ => None,
    }
}
