# pip install fastapi uvicorn httpx
# CLIENT_SECRET=lk_cs_… uvicorn api:app --port 8000
import logging
import os
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
bearer = HTTPBearer(auto_error=False)


def refuse(status: int, error: str, **more: str) -> HTTPException:
    named = {"error": error, **more}
    members = ", ".join(f'{name}="{value}"' for name, value in named.items())
    return HTTPException(status, error, {"WWW-Authenticate": f"Bearer {members}"})


async def read_token(
    sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> dict:
    if sent is None:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    question = {
        "token": sent.credentials,
        "client_id": <%= client_id %>,
        "client_secret": os.environ["CLIENT_SECRET"],
    }
    url = <%= issuer + '/introspect' %>
    try:
        async with httpx.AsyncClient() as client:
            answer = await client.post(url, data=question)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        logging.error("%s: %s", url, error)
        # without an answer, a 401 would make the client throw a good token away
        raise HTTPException(503, headers={"Retry-After": "5"})
    token = answer.json()
    # a refresh token has no token_type, a token with cnf needs a proof of its key
    if not token["active"] or token.get("token_type") != "Bearer" or "cnf" in token:
        raise refuse(401, "invalid_token")
    if <% if (audiences.length === 0) { %>"aud" in token<% } else { %>token.get("aud") not in {<%= audiences %>}<% } %>:
        raise refuse(401, "invalid_token")
    return token


@app.get("/api/me")
async def me(token: Annotated[dict, Depends(read_token)]) -> dict:
    # add the group of this scope here, if it has one
    if not {<%= needed %>} & set(token["scope"].split()):
        raise refuse(403, "insufficient_scope", scope=<%= needed.slice(0, 1) %>)
    # identify people by sub, never by email address or name
    return {"sub": token["sub"], "scope": token["scope"]}
