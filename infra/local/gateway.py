"""Creates routes and the custom domain 127.0.0.1 of the HTTP API, which the emulator's CloudFormation omits."""

import template as sam

DOMAIN = "127.0.0.1"


def connect(apigateway, template: dict, ids: dict[str, str]):
    """Creates one integration per function, one route per `HttpApi` event, and the custom domain."""
    (api_name,) = sam.of_type(template, "AWS::Serverless::HttpApi")
    api = ids[api_name]
    integrations = {}
    for route_key, function in sam.routes(template):
        if function not in integrations:
            integrations[function] = integrate(apigateway, api, ids[function])
        apigateway.create_route(ApiId=api, RouteKey=route_key, Target=f"integrations/{integrations[function]}")
    apigateway.create_domain_name(DomainName=DOMAIN)
    apigateway.create_api_mapping(DomainName=DOMAIN, ApiId=api, Stage="$default")


def integrate(apigateway, api: str, function: str) -> str:
    region = apigateway.meta.region_name
    integration = apigateway.create_integration(
        ApiId=api,
        IntegrationType="AWS_PROXY",
        IntegrationUri=f"arn:aws:lambda:{region}:000000000000:function:{function}",
        PayloadFormatVersion="2.0",
    )
    return integration["IntegrationId"]
