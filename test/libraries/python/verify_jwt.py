"""Verifies a JWT access token with PyJWT, as an API does it: with the keys of the issuer and its own name."""
import json
import os

import jwt

issuer = os.environ["ISSUER"]
keys = jwt.PyJWKClient(f"{issuer}/jwks")
token = input()
signed = jwt.decode_complete(
    token,
    keys.get_signing_key_from_jwt(token),
    algorithms=["ES256"],
    issuer=issuer,
    audience=os.environ["AUDIENCE"],
    options={"require": ["exp", "aud", "iss", "sub"]},
)
# so that no other JWT of the issuer is taken for an access token
assert signed["header"]["typ"] == "at+jwt"
print(json.dumps(signed["payload"]))
