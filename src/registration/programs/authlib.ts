import { python } from '../console/source-text.ts';
import { advice, type Library, needsTlsSwitch, nobody, unreachable } from './library.ts';

export const authlib: Library = {
  id: 'authlib',
  name: 'Authlib',
  file: 'client.py',
  program: (connection) => python`
# pip install authlib requests && python client.py
import os
import sys
from urllib.parse import parse_qsl, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session, OAuthError
${needsTlsSwitch(connection) ? withoutTls : python``}
client = OAuth2Session(
    client_id=${connection.client_id},${connection.is_public ? withoutSecret : withSecret}
    redirect_uri=${connection.redirect_uri},
    scope=${connection.scope},
    code_challenge_method="S256",
)

verifier = generate_token(48)
link, state = client.create_authorization_url(${`${connection.issuer}/authorize`}, code_verifier=verifier)
print("Open", link)
print(${unreachable})

answer = dict(parse_qsl(urlsplit(input("Address to which the browser was sent: ")).query))
if answer.get("state") != state or answer.get("iss") != ${connection.issuer}:
    sys.exit("this is not the answer to the request")
try:
    if "error" in answer:
        raise OAuthError(answer["error"], answer.get("error_description"))
    client.fetch_token(${`${connection.issuer}/token`}, code=answer.get("code"), code_verifier=verifier)
except OAuthError as refusal:
    sys.exit(f"The request was refused: {refusal.error} ({refusal.description})")
user = client.get(${`${connection.issuer}/user`})
# ${advice}
if not user.ok or not user.json().get("sub"):
    sys.exit("${nobody}")
print(user.json())`,
};

const withoutTls = python`
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https
`;
const withSecret = python`
    client_secret=os.environ["CLIENT_SECRET"],
    token_endpoint_auth_method="client_secret_post",`;
const withoutSecret = python`
    token_endpoint_auth_method="none",`;
