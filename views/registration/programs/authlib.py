# pip install authlib requests
# <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>python client.py
import os
import sys
from urllib.parse import parse_qsl, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session, OAuthError
<% if (!uses_tls) { -%>

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https
<% } -%>

client = OAuth2Session(
    client_id=<%= client_id %>,
<% if (is_public) { -%>
    token_endpoint_auth_method="none",
<% } else { -%>
    client_secret=os.environ["CLIENT_SECRET"],
    token_endpoint_auth_method="client_secret_post",
<% } -%>
    redirect_uri=<%= redirect_uri %>,
    scope=<%= scope %>,
    code_challenge_method="S256",
)

verifier = generate_token(48)
link, state = client.create_authorization_url(
    <%= issuer + '/authorize' %>, code_verifier=verifier
)
print("Open", link)
print(<%= unreachable %>)

sent = input("Address to which the browser was sent: ")
answer = dict(parse_qsl(urlsplit(sent).query))
if answer.get("state") != state or answer.get("iss") != <%= issuer %>:
    sys.exit("this response does not belong to the request")
try:
    if "error" in answer:
        raise OAuthError(answer["error"], answer.get("error_description"))
    client.fetch_token(
        <%= issuer + '/token' %>,
        code=answer.get("code"),
        code_verifier=verifier,
    )
except OAuthError as refusal:
    sys.exit(f"The request was refused: {refusal.error} ({refusal.description})")
user = client.get(<%= issuer + '/user' %>)
# identify people by sub, never by email address or name
if not user.ok or not user.json().get("sub"):
    sys.exit("the server does not say who this is")
print(user.json())
