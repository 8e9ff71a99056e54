# pip install requests-oauthlib
# <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>python client.py
import os
import sys
<% if (listener) { -%>
from http.server import BaseHTTPRequestHandler, HTTPServer
<% } -%>
from urllib.parse import parse_qs, urlsplit

from oauthlib.oauth2 import OAuth2Error
from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"  # a user may grant less than requested
<% if (!uses_tls) { -%>
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # an address here is not https
<% } -%>
<% if (listener) { -%>


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.answer = self.path
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Go back to the program.")

    def log_message(self, *_):
        pass  # the address has a code in it


server = HTTPServer((<%= listener.host %>, <%= listener.port %>), Callback)<% if (listener.port === 0) { %>  # any free port<% } %>
origin = <%= 'http://' + listener.host + ':' %> + str(server.server_port)
<% } -%>

session = OAuth2Session(
    <%= client_id %>,
    redirect_uri=<% if (listener) { %>origin + <%= listener.path %><% } else { %><%= redirect_uri %><% } %>,
    scope=<%= scope %>,
    pkce="S256",
)
link, state = session.authorization_url(<%= issuer + '/authorize' %>)
print("Open", link)

<% if (listener) { -%>
server.handle_request()
address = origin + server.answer
<% } else { -%>
print(<%= unreachable %>)
address = input("Address to which the browser was sent: ")
<% } -%>
if parse_qs(urlsplit(address).query).get("iss") != [<%= issuer %>]:
    sys.exit("this response does not belong to the request")
try:
    session.fetch_token(
        <%= issuer + '/token' %>,
        authorization_response=address,
        include_client_id=True,
<% if (!is_public) { -%>
        client_secret=os.environ["CLIENT_SECRET"],
<% } -%>
    )
except OAuth2Error as refusal:
    sys.exit(f"The request was refused: {refusal.error} ({refusal.description})")
user = session.get(<%= issuer + '/user' %>)
# identify people by sub, never by email address or name
if not user.ok or not user.json().get("sub"):
    sys.exit("the server does not say who this is")
print(user.json())
