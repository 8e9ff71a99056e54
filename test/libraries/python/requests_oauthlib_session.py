"""requests-oauthlib as its documentation shows the web application flow, with PKCE, refresh and revocation."""
import json
import os

from requests_oauthlib import OAuth2Session

issuer, client_id, client_secret = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET"))
session = OAuth2Session(
    client_id, redirect_uri=os.environ["REDIRECT_URI"], scope=os.environ["SCOPE"].split(), pkce="S256"
)

authorization_url, state = session.authorization_url(f"{issuer}/authorize")
print("Please go here and authorize:", authorization_url, flush=True)
redirect_response = input("Paste the full redirect URL here: ")

session.fetch_token(f"{issuer}/token", client_secret=client_secret, authorization_response=redirect_response)
# at a refresh it asks for this scope again, of which the person may have granted less
session.scope = session.token["scope"]
session.refresh_token(f"{issuer}/token", auth=(client_id, client_secret))
profile = session.get(f"{issuer}/user")
profile.raise_for_status()
print(json.dumps({"profile": profile.json(), "scope": session.token["scope"]}))
