import { python } from '../../../pages/source-text.ts';
import { advice, type Library, needsTlsSwitch } from './library.ts';

export const authlib: Library = {
  id: 'authlib',
  name: 'Authlib',
  file: 'client.py',
  program: (connection) => python`
# pip install authlib requests && python client.py
import os

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
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

address = input("Address to which the browser was sent: ")
client.fetch_token(
    ${`${connection.issuer}/token`}, authorization_response=address, state=state, code_verifier=verifier
)
# ${advice}
print(client.get(${`${connection.issuer}/user`}).json())`,
};

const withoutTls = python`
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https
`;
const withSecret = python`
    client_secret=os.environ["CLIENT_SECRET"],
    token_endpoint_auth_method="client_secret_post",`;
const withoutSecret = python`
    token_endpoint_auth_method="none",`;
