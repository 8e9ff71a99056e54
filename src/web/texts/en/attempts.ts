/** The playground: what the application does with its tokens, and what is refused. */
export const attempts = {
  'outcome.refused': 'Refused, as it should be.',
  'outcome.denied': 'You denied access. The application received an error and nothing else.',
  'playground_problem.no_memory':
    'A response arrived, but your browser sent no playground cookie with it, so the application cannot tell whether it made the request. Either more than an hour has passed, or you started under another host name: a cookie for 127.0.0.1 is not sent to localhost. The response was discarded. Please start again here.',
  'playground_problem.already_used':
    'The application is not waiting for this response: it has already been used, or it is too old. A state value is valid for one response. This response was ignored.',
  'playground_problem.state_mismatch':
    'The state in this response is not the one that the application sent. Somebody may be trying to sign you in to another account, so the application discards the response (RFC 6749 §10.12). If you started in two tabs, only the later start counts.',
  'playground_problem.iss_mismatch':
    'This response is not from the server that the application sent its request to: iss is missing or names another server (RFC 9207). The application discards the response and sends the code to nobody.',
  'playground_problem.no_code':
    'This response contains neither a single code nor an error, so the application cannot use it.',
  'tries.use': 'Use the tokens',
  'tries.text_use': 'What an application normally does with its tokens.',
  'tries.break': 'Attack the flow',
  'tries.text_break': 'Each button simulates an attack or a mistake. See how the server refuses it.',
  'break.refresh': 'Refresh the access token',
  'break.change_profile': 'Update your profile',
  'break.revoke': 'Revoke the token',
  'break.reused_code': 'Redeem the code twice',
  'break.wrong_verifier': 'Send a wrong code_verifier',
  'break.foreign_redirect_uri': 'Send an unregistered redirect_uri',
  'break.expired_token': 'Use an expired token',
  'break.refresh_replay': 'Use an old refresh token',
  'break.wrong_secret': 'Send a wrong client secret',
  'break.tampered_token': 'Change one character of the token',
  'break.token_twice': 'Send the token twice',
  'step.reused_code.title': 'The code is redeemed again',
  'step.reused_code.text':
    'Somebody may have copied the code. The server refuses it and revokes the tokens issued for it.',
  'step.wrong_verifier.title': 'The code is redeemed with a wrong code_verifier',
  'step.wrong_verifier.text':
    'An attacker who intercepts a code in the browser does not know the code_verifier. One wrong attempt invalidates the code.',
  'step.spent_code.title': 'The right code_verifier comes too late',
  'step.spent_code.text':
    'The wrong attempt has invalidated the code, so nobody can guess twice. The error is the same as before, so it does not reveal whether a guess was right.',
  'step.foreign_redirect_uri.title': 'An unregistered redirection URI',
  'step.foreign_redirect_uri.text':
    'The server shows an error page and does not redirect: the address may not belong to the application.',
  'step.expired_token.title': 'An expired token',
  'step.expired_token.text':
    'To save you an hour of waiting, the playground moved the expiry of this token into the past, in the database. Everything else is real: the response tells the application to refresh.',
  'step.revoked_token.title': 'A revoked token',
  'step.revoked_token.text': 'As soon as a token is revoked, no endpoint accepts it.',
  'step.refresh_replay.title': 'The first refresh token is used again',
  'step.refresh_replay.text':
    'Two parties may hold this token, and the server cannot tell which of them is the thief. It therefore revokes all tokens of this authorization, and the application has to ask you again.',
  'step.wrong_secret.title': 'A wrong client secret',
  'step.wrong_secret.text':
    'A stolen refresh token is useless without the client secret. The failed attempt revokes nothing, as the next request shows; otherwise a thief could sign users out.',
  'step.tampered_token.title': 'One character is different',
  'step.tampered_token.text':
    'Every token ends with a checksum. The server sees that it never issued this token, without asking the database.',
  'step.token_twice.title': 'The token in two places',
  'step.token_twice.text':
    'The token is in the header and in the URL. Programs along the way could read different ones, so the server refuses the request, even though both are valid.',
} as const;
