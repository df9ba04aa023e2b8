"""The REST API before the query function: regional, streamed, each method behind the environment's authorizer."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk.aws_apigateway import (
    AccessLogFormat,
    AuthorizationType,
    CognitoUserPoolsAuthorizer,
    EndpointType,
    LambdaIntegration,
    LogGroupLogDestination,
    MethodLoggingLevel,
    MethodOptions,
    ResponseTransferMode,
    RestApi,
    StageOptions,
)
from aws_cdk.aws_cognito import UserPool
from aws_cdk.aws_lambda import Function
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.logs import log_group

ROUTES = (
    ("POST", "/v1/query"),
    ("GET", "/v1/documents"),
    ("POST", "/v1/documents"),
    ("GET", "/v1/documents/{document_id}"),
    ("DELETE", "/v1/documents/{document_id}"),
    ("GET", "/v1/documents/{document_id}/chunks"),
    ("GET", "/v1/documents/{document_id}/versions"),
    ("POST", "/v1/documents/{document_id}/reingest"),
    ("POST", "/v1/structured/preview"),
    ("POST", "/v1/structured/commit"),
    ("POST", "/v1/conversations"),
    ("GET", "/v1/conversations"),
    ("GET", "/v1/conversations/{conversation_id}"),
    ("PATCH", "/v1/conversations/{conversation_id}"),
    ("DELETE", "/v1/conversations/{conversation_id}"),
    ("GET", "/v1/conversations/{conversation_id}/export"),
    ("POST", "/v1/conversations/{conversation_id}/shares"),
    ("GET", "/v1/conversations/{conversation_id}/shares"),
    ("DELETE", "/v1/conversations/{conversation_id}/shares/{share_id}"),
    ("GET", "/v1/shared/{token}"),
    ("POST", "/v1/feedback"),
    ("GET", "/v1/feedback/export"),
    ("POST", "/v1/search"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/v1/models"),
    ("GET", "/v1/strategies"),
    ("GET", "/v1/openapi.json"),
    ("GET", "/v1/health"),
    ("GET", "/v1/health/ready"),
    ("GET", "/mcp"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
)
LOGS_POLICY = "arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
LONGEST_BUFFERED = Duration.seconds(29)


class QueryApi(Construct):
    """Routes to one function; `streaming=False` buffers responses, for targets that can't stream them."""

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        function: Function,
        auth: str,
        user_pool_arn: str | None,
        streaming: bool,
        timeout: Duration,
        rate_limit: int,
        burst_limit: int,
        log_retention_days: int,
    ) -> None:
        super().__init__(scope, id_)
        self.rest_api = RestApi(
            self,
            "RestApi",
            endpoint_types=[EndpointType.REGIONAL],
            cloud_watch_role=True,
            default_method_options=self._authorization(auth, user_pool_arn),
            default_integration=LambdaIntegration(
                function,  # pyright: ignore[reportArgumentType]
                allow_test_invoke=False,
                response_transfer_mode=ResponseTransferMode.STREAM if streaming else None,
                timeout=timeout if streaming else LONGEST_BUFFERED,
            ),
            deploy_options=StageOptions(
                stage_name="api",
                throttling_rate_limit=rate_limit,
                throttling_burst_limit=burst_limit,
                logging_level=MethodLoggingLevel.ERROR,
                tracing_enabled=True,
                access_log_destination=LogGroupLogDestination(
                    log_group(self, "AccessLogs", retention_days=log_retention_days)
                ),
                access_log_format=_access_log_format(),
            ),
        )
        for method, path in ROUTES:
            self.rest_api.root.resource_for_path(path).add_method(method)
        self._acknowledge_findings(auth)

    def _authorization(self, auth: str, user_pool_arn: str | None) -> MethodOptions:
        if user_pool_arn:
            pool = UserPool.from_user_pool_arn(self, "UserPool", user_pool_arn)
            return MethodOptions(authorizer=CognitoUserPoolsAuthorizer(self, "Authorizer", cognito_user_pools=[pool]))
        return MethodOptions(authorization_type=AuthorizationType.IAM if auth == "iam" else AuthorizationType.NONE)

    def _acknowledge_findings(self, auth: str) -> None:
        acknowledge(
            self.rest_api,
            {
                "APIG2": "The application validates bodies and names the wrong field, which a validator here can't.",
                "APIG3": "A web ACL belongs to the account's owner, who can associate one with the stage's ARN.",
                f"IAM4[Policy::{LOGS_POLICY}]": "API Gateway has one role an account for all logs, with this policy.",
            },
        )
        if auth != "cognito":
            acknowledge(self.rest_api, {"COG4": "Callers sign their requests; IAM policies say who may ask."})
        if auth == "none":
            acknowledge(self.rest_api, {"APIG4": "Only a laptop's own environment may be open to all of its users."})


def _access_log_format() -> AccessLogFormat:
    """Who asked for what and how it went; never a question or an answer."""
    return AccessLogFormat.json_with_standard_fields(
        caller=True,
        http_method=True,
        ip=True,
        protocol=True,
        request_time=True,
        resource_path=True,
        response_length=True,
        status=True,
        user=True,
    )
