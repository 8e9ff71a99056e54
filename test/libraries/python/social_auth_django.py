"""A Django application that signs people in with social-auth: with its GitHub Enterprise backend, and with a backend of its own."""
import os

import django
from django.conf import settings
from django.core.management import call_command
from django.http import JsonResponse
from social_core.backends.oauth import BaseOAuth2PKCE

issuer, client_id, client_secret = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET"))


class LatchkeyOAuth2(BaseOAuth2PKCE):
    name = "latchkey"
    AUTHORIZATION_URL = f"{issuer}/authorize"
    ACCESS_TOKEN_URL = f"{issuer}/token"
    REDIRECT_STATE = False
    STATE_PARAMETER = True
    ID_KEY = "sub"
    DEFAULT_SCOPE = ["user:name", "user:email"]

    def user_data(self, access_token, *args, **kwargs):
        return self.get_json(f"{issuer}/user", headers={"Authorization": f"Bearer {access_token}"})

    def get_user_details(self, response):
        return {"username": response["username"], "fullname": response["name"], "email": response["email"]}


settings.configure(
    SECRET_KEY="only for this test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "social_django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    AUTHENTICATION_BACKENDS=[
        f"{__name__}.LatchkeyOAuth2",
        "social_core.backends.github_enterprise.GithubEnterpriseOAuth2",
    ],
    LOGIN_REDIRECT_URL="/profile",
    SOCIAL_AUTH_LATCHKEY_KEY=client_id,
    SOCIAL_AUTH_LATCHKEY_SECRET=client_secret,
    SOCIAL_AUTH_GITHUB_ENTERPRISE_URL=issuer,
    SOCIAL_AUTH_GITHUB_ENTERPRISE_API_URL=f"{issuer}/api/v3",
    SOCIAL_AUTH_GITHUB_ENTERPRISE_KEY=client_id,
    SOCIAL_AUTH_GITHUB_ENTERPRISE_SECRET=client_secret,
    SOCIAL_AUTH_GITHUB_ENTERPRISE_SCOPE=["user:email"],
)
django.setup()

from django.urls import include, path  # social_django reads the settings when it is imported


def profile(request):
    social = request.user.social_auth.get()
    return JsonResponse({"provider": social.provider, "uid": social.uid, "email": request.user.email})


urlpatterns = [path("", include("social_django.urls", namespace="social")), path("profile", profile)]

call_command("migrate", verbosity=0)
call_command("runserver", os.environ["PORT"], "--noreload")
