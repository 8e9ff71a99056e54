"""Authlib's session for requests as its documentation shows it, with PKCE, refresh and revocation."""
import json
import os

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

issuer = os.environ["ISSUER"]
client = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    scope=os.environ["SCOPE"],
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
)

code_verifier = generate_token(48)
uri, state = client.create_authorization_url(f"{issuer}/authorize", code_verifier=code_verifier)
print("Open", uri, flush=True)
authorization_response = input()

token = client.fetch_token(
    f"{issuer}/token", authorization_response=authorization_response, state=state, code_verifier=code_verifier
)
token = client.refresh_token(f"{issuer}/token", refresh_token=token["refresh_token"])
profile = client.get(f"{issuer}/user")
profile.raise_for_status()
client.revoke_token(f"{issuer}/revoke", token=token["refresh_token"]).raise_for_status()
status = client.get(f"{issuer}/user").status_code
print(json.dumps({"profile": profile.json(), "scope": token["scope"], "status_after_revocation": status}))
