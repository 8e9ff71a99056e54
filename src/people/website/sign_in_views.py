"""The hand-off of a Django site, as SIGN_IN_URL=https://www.example/oauth-sign-in: two views beside django.contrib.auth.

pip install "pyjwt[crypto]"; then path("oauth-sign-in", sign_in) and path("oauth-sign-in/cancel", cancel) in urls.py, and
LATCHKEY, WEBSITE and SIGN_IN_SECRET in the settings.
"""
import time
import uuid
from urllib.parse import urlencode

import jwt
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import redirect_to_login
from django.dispatch import receiver
from django.http import HttpResponseBadRequest, HttpResponseRedirect

keys = jwt.PyJWKClient(settings.LATCHKEY + "/jwks")


@receiver(user_logged_in)
def note_time(request, **_):
    request.session["signed_in_at"] = int(time.time())


def read_request(request):
    """What Latchkey asks; None if it has not asked this website, or not within the last ten minutes."""
    try:
        text = request.GET["request"]
        key = keys.get_signing_key_from_jwt(text)
        asked = jwt.decode_complete(text, key, algorithms=["ES256"], issuer=settings.LATCHKEY, audience=settings.WEBSITE)
        return asked["payload"] if asked["header"].get("typ") == "sign-in-request+jwt" else None
    except (KeyError, jwt.PyJWTError):
        return None


def sign_in(request):
    asked = read_request(request)
    if asked is None:
        return HttpResponseBadRequest("This is no valid request of our sign-in server.")
    now, signed_in_at = int(time.time()), request.session.get("signed_in_at", 0)
    wanted = asked["iat"] if "prompt" in asked else now - asked.get("max_age", now)
    if not request.user.is_authenticated or signed_in_at < wanted:
        return redirect_to_login(request.get_full_path())
    user = request.user
    claims = {
        "sub": str(user.pk), "nonce": asked["nonce"], "aud": settings.LATCHKEY, "iat": now, "exp": now + 120,
        "jti": str(uuid.uuid4()), "auth_time": signed_in_at,
        "username": user.get_username(), "name": user.get_full_name(), "email": user.email,
        # True only if your site has checked that the address is the person's
        "email_verified": False,
    }
    response = jwt.encode(claims, settings.SIGN_IN_SECRET, algorithm="HS256")
    return HttpResponseRedirect(asked["return_to"] + "?" + urlencode({"response": response}))


def cancel(request):
    asked = read_request(request)
    if asked is None:
        return HttpResponseBadRequest("This is no valid request of our sign-in server.")
    return HttpResponseRedirect(asked["return_to"] + "?" + urlencode({"nonce": asked["nonce"], "error": "access_denied"}))
