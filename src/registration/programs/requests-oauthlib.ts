import { python, type SourceText } from '../console/source-text.ts';
import { advice, type Connection, type Library, needsTlsSwitch, nobody, portOf, unreachable } from './library.ts';

export const requestsOauthlib: Library = {
  id: 'requests-oauthlib',
  name: 'requests-oauthlib',
  file: 'client.py',
  program(connection) {
    const { redirect, waiting, imports, listening } = listenerFor(connection.redirect_uri) ?? pasting(connection);
    return python`
# pip install requests-oauthlib && python client.py
import os
import sys${imports}
from urllib.parse import parse_qs, urlsplit

from oauthlib.oauth2 import OAuth2Error
from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"  # a user may grant less than was requested${needsTlsSwitch(connection) ? withoutTls : python``}
${listening}
session = OAuth2Session(
    ${connection.client_id}, redirect_uri=${redirect}, scope=${connection.scope}, pkce="S256"
)
link, state = session.authorization_url(${`${connection.issuer}/authorize`})
print("Open", link)

${waiting}
if parse_qs(urlsplit(address).query).get("iss") != [${connection.issuer}]:
    sys.exit("this is not the answer to the request")
try:
    session.fetch_token(
        ${`${connection.issuer}/token`},
        authorization_response=address,
        include_client_id=True,${connection.is_public ? python`` : secret}
    )
except OAuth2Error as refusal:
    sys.exit(f"The request was refused: {refusal.error} ({refusal.description})")
user = session.get(${`${connection.issuer}/user`})
# ${advice}
if not user.ok or not user.json().get("sub"):
    sys.exit("${nobody}")
print(user.json())`;
  },
};

/** How the program gets the address to which the browser was sent. */
type Way = Record<'imports' | 'listening' | 'redirect' | 'waiting', SourceText>;

const pasting = ({ redirect_uri }: Connection): Way => ({
  imports: python``,
  listening: python``,
  redirect: python`${redirect_uri}`,
  waiting: python`print(${unreachable})
address = input("Address to which the browser was sent: ")`,
});

/** On this device it listens: at 127.0.0.1 at any free port, because only the rest is compared there [8252 §7.3]. */
function listenerFor(redirect_uri: string): Way | undefined {
  const [, host, path = ''] = /^http:\/\/(127\.0\.0\.1|localhost)(?::\d+)?(.*)$/.exec(redirect_uri) ?? [];
  if (host === undefined) return undefined;
  const isAnyPort = host === '127.0.0.1';
  return {
    imports: python`
from http.server import BaseHTTPRequestHandler, HTTPServer`,
    listening: python`

class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.answer = self.path
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Go back to the program.")

    def log_message(self, *_):
        pass  # the address has a code in it


server = HTTPServer((${host}, ${isAnyPort ? 0 : portOf(redirect_uri)}), Callback)${isAnyPort ? python`  # any free port` : python``}
origin = ${`http://${host}:`} + str(server.server_port)
`,
    redirect: python`origin + ${path}`,
    waiting: python`server.handle_request()
address = origin + server.answer`,
  };
}

const withoutTls = python`
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https`;
const secret = python`
        client_secret=os.environ["CLIENT_SECRET"],`;
