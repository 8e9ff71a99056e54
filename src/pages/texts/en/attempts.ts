/** The playground: what the application does with its tokens, and what is refused. */
export const attempts = {
  'outcome.refused': 'Refused, as it should be.',
  'outcome.denied': 'You refused. The application was told so, and received nothing else.',
  'playground_problem.no_memory':
    'An answer came back, but this browser sent no cookie of the playground with it, so the application cannot know whether it ever asked. Either an hour has passed, or you began under another name of this machine: a cookie set for 127.0.0.1 is not sent to localhost. The answer was thrown away. Begin again here.',
  'playground_problem.already_used':
    'The application is not waiting for an answer: this one was used already, or is old. A state is good for one answer. Nothing was done with it.',
  'playground_problem.state_mismatch':
    'The state of this answer is not the one that the application sent. Somebody may want you to be signed in as somebody else, so the application throws the answer away (RFC 6749 §10.12). If you started in two tabs, only the later start counts.',
  'playground_problem.iss_mismatch':
    'This answer does not come from the server that the application asked: its iss is missing or names another one (RFC 9207). The application throws it away and keeps the code to itself.',
  'playground_problem.no_code': 'This answer holds neither one code nor an error, so there is nothing to do with it.',
  'tries.use': 'Use it as it is meant',
  'tries.text_use': 'What an application does with its tokens from here on.',
  'tries.break': 'Break it on purpose',
  'tries.text_break': 'Each of these is an attack or an accident that happens. See how the server refuses.',
  'break.refresh': 'Renew the access',
  'break.change_profile': 'Write your name back',
  'break.revoke': 'Give the token back',
  'break.reused_code': 'Redeem the code a second time',
  'break.wrong_verifier': 'Redeem with a wrong code_verifier',
  'break.foreign_redirect_uri': 'Ask with a foreign redirect_uri',
  'break.expired_token': 'Use an expired token',
  'break.refresh_replay': 'Use an old refresh token',
  'break.wrong_secret': 'Present a wrong client secret',
  'break.tampered_token': 'Change one character of the token',
  'break.token_twice': 'Send the token twice',
  'step.reused_code.title': 'The same code again',
  'step.reused_code.text': 'Somebody may have copied it. The server refuses, and ends what the code had produced.',
  'step.wrong_verifier.title': 'A code without its verifier',
  'step.wrong_verifier.text':
    'Whoever catches a code in the browser does not know the verifier. One wrong try spends the code.',
  'step.spent_code.title': 'Now the right verifier',
  'step.spent_code.text':
    'Too late: the wrong try has spent the code, so nobody can guess twice. The answer is the same, so that it tells nobody how close the guess came.',
  'step.foreign_redirect_uri.title': 'A foreign redirection URI',
  'step.foreign_redirect_uri.text':
    'The server shows a page and redirects nobody: it does not know whose address that is.',
  'step.expired_token.title': 'An expired token',
  'step.expired_token.text':
    'Nobody wants to wait an hour here, so the playground moved the end of this token into the past, in the database. The rest is real: the challenge tells the application to refresh.',
  'step.revoked_token.title': 'A revoked token',
  'step.revoked_token.text': 'From the moment of revocation the token is unknown to every endpoint.',
  'step.refresh_replay.title': 'The first refresh token again',
  'step.refresh_replay.text':
    'Two parties hold it now, and nobody knows which is the thief. So the server ends the whole family: both have to start again with the person.',
  'step.wrong_secret.title': 'A wrong client secret',
  'step.wrong_secret.text':
    'A refresh token by itself is worth nothing: whoever has stolen it is not the application. Nothing ends because of the attempt, as the next request shows, or a thief could log people out.',
  'step.tampered_token.title': 'One character is different',
  'step.tampered_token.text':
    'Every token ends in a checksum. The server sees that this one was never issued, without asking the database.',
  'step.token_twice.title': 'The token in two places',
  'step.token_twice.text':
    'In the header and in the address. Two places can disagree, and two programs on the way could read different ones, so it is refused, even though both are right.',
} as const;
