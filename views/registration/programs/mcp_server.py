# pip install mcp httpx
# CLIENT_SECRET=lk_cs_… python mcp_server.py
import os

import httpx
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from starlette.responses import Response

issuer = <%= issuer %>
# exactly as the operator of the issuer has registered it
resource = <%= resource %>
scope = <%= needed.slice(0, 1) %>
client_id = <%= client_id %>


class Introspection:
    async def verify_token(self, token: str) -> AccessToken | None:
        question = {
            "token": token,
            "client_id": client_id,
            "client_secret": os.environ["CLIENT_SECRET"],
        }
        url = <%= issuer + '/introspect' %>
        async with httpx.AsyncClient() as client:
            answer = await client.post(url, data=question)
        # without an answer, a 401 would make the client throw a good token away
        answer.raise_for_status()
        known = answer.json()
        # a refresh token has no token_type, a token with cnf needs a proof of its key
        is_plain = known["active"] and "cnf" not in known
        if not is_plain or known.get("token_type") != "Bearer":
            return None
        scopes = known["scope"].split()
<% if (needed.length > 1) { -%>
        # a group stands for its scopes if all of them are granted
        if {<%= needed %>} & set(scopes):
            scopes.append(scope)
<% } -%>
        return AccessToken(
            token=token,
            client_id=known["client_id"],
            scopes=scopes,
            expires_at=known["exp"],
            resource=known.get("aud"),
            subject=known["sub"],
        )


mcp = MCPServer(
    "sample",
    token_verifier=Introspection(),
    # a token for another resource is refused
    auth=AuthSettings(
        issuer_url=issuer,
        resource_server_url=resource,
        required_scopes=[scope],
        validate_token_resource=True,
    ),
)


@mcp.tool()
def whoami() -> str:
    """The person"""
    # identify people by sub, never by email address or name
    return get_access_token().subject


class NameScope:
    """Adds the scope to the challenges, so that a client knows what to ask for."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, request, receive, send):
        async def send_with_scope(message):
            if message.get("status") in (401, 403):
                named = f', scope="{scope}"'.encode()
                message["headers"] = [
                    (name, value + named if name == b"www-authenticate" else value)
                    for name, value in message["headers"]
                ]
            await send(message)

        await self.app(request, receive, send_with_scope)


url = httpx.URL(resource)
app = mcp.streamable_http_app(
    streamable_http_path=url.path,
    stateless_http=True,
    json_response=True,
    host=url.host,
)


async def answer_failure(_request, error):
    is_issuer_away = isinstance(error, httpx.HTTPError)
    status = 503 if is_issuer_away else 500
    return Response(status_code=status, headers={"Retry-After": "5"})


app.add_exception_handler(Exception, answer_failure)
uvicorn.run(NameScope(app), port=<%= port %>)
