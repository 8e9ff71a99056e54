"""A Django site with people of its own, whose login page is that of django.contrib.auth, and the hand-off of the examples."""
import os
import sys

import django
from django.conf import settings
from django.core.management import call_command

sys.path.insert(0, os.environ["EXAMPLES"])

LOGIN_PAGE = """<form method="post">{% csrf_token %}{{ form.username }}{{ form.password }}
<input type="hidden" name="next" value="{{ next }}"><button id="login">Sign in</button></form>"""

settings.configure(
    SECRET_KEY="only for this test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": ["django.template.context_processors.request"],
                "loaders": [("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE})],
            },
        }
    ],
    LATCHKEY=os.environ["LATCHKEY"],
    WEBSITE=os.environ["WEBSITE"],
    SIGN_IN_SECRET=os.environ["SIGN_IN_SECRET"],
)
django.setup()

from django.contrib.auth.models import User  # needs the settings
from django.contrib.auth.views import LoginView
from django.urls import path
from sign_in_views import cancel, sign_in

urlpatterns = [
    path("oauth-sign-in", sign_in),
    path("oauth-sign-in/cancel", cancel),
    path("accounts/login/", LoginView.as_view()),
]

call_command("migrate", verbosity=0)
User.objects.create_user("ada", "ada@www.example", "correct horse battery", pk=1001)
call_command("runserver", f"127.0.0.1:{os.environ['PORT']}", "--noreload", "--nothreading", verbosity=0)
