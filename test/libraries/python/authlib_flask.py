"""A Flask application that signs people in with Authlib, configured by the metadata of the server alone."""
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, url_for

app = Flask(__name__)
app.secret_key = "only for this test"
oauth = OAuth(app)
oauth.register(
    "latchkey",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/oauth-authorization-server",
    client_kwargs={"scope": os.environ["SCOPE"], "code_challenge_method": "S256"},
)


@app.route("/login")
def login():
    return oauth.latchkey.authorize_redirect(url_for("callback", _external=True))


@app.route("/callback")
def callback():
    token = oauth.latchkey.authorize_access_token()
    profile = oauth.latchkey.userinfo(token=token)
    return jsonify(profile)


app.run(port=int(os.environ["PORT"]))
