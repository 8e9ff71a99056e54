import { python } from '../../../pages/source-text.ts';
import { advice, type Library, needsTlsSwitch } from './library.ts';

export const requestsOauthlib: Library = {
  id: 'requests-oauthlib',
  name: 'requests-oauthlib',
  file: 'client.py',
  program: (connection) => python`
# pip install requests-oauthlib && python client.py
import os

from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"  # a user may grant less than was requested${needsTlsSwitch(connection) ? withoutTls : python``}

session = OAuth2Session(
    ${connection.client_id}, redirect_uri=${connection.redirect_uri}, scope=${connection.scope}, pkce="S256"
)
link, state = session.authorization_url(${`${connection.issuer}/authorize`})
print("Open", link)

address = input("Address to which the browser was sent: ")
session.fetch_token(
    ${`${connection.issuer}/token`},
    authorization_response=address,
    include_client_id=True,${connection.is_public ? python`` : secret}
)
# ${advice}
print(session.get(${`${connection.issuer}/user`}).json())`,
};

const withoutTls = python`
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https`;
const secret = python`
    client_secret=os.environ["CLIENT_SECRET"],`;
