/** Signing in at another server. */
export const providers = {
  'login.or': 'or',
  'login.provider': 'Sign in with {provider}',

  'stopped.title': 'You are not signed in',
  'stopped.sign_in_lost':
    'This sign-in was started more than ten minutes ago, in another browser, or is already finished. Please start again.',
  'stopped.cancelled': 'You did not sign in with {provider}. Nothing has changed.',
  'stopped.provider_away': '{provider} does not answer as it should at the moment. Please try again in a minute.',
  'stopped.provider_wrong':
    'The answer of {provider} was not accepted. If this happens again, tell whoever operates this server, and name the request ID.',
  'stopped.provider_gone': 'Signing in with {provider} is switched off here.',
  'stopped.not_confirmed':
    'The application wants to know that you have just signed in, and {provider} did not confirm that. Sign in again there, or in another way.',
  'stopped.no_account':
    'No account here is connected with your account at {provider}. If you have an account here, sign in to it in another way; you can connect {provider} on your account page.',
  'stopped.address_taken':
    'An account here has the e-mail address that {provider} gave. If it is yours, sign in to it in another way; you can connect {provider} on your account page.',
  'stopped.foreign_domain': 'Only people with certain e-mail addresses get an account here with {provider}.',
  'stopped.account_disabled': 'Your account here is disabled.',
  'stopped.identity_taken':
    'Your account at {provider} is already connected with another account here, or you have connected too many accounts.',
  'stopped.connect_lost':
    'Nothing was connected: you are no longer signed in as the person who started it, or it took more than ten minutes.',
  'stopped.reference': 'Request ID: {id}',
  'stopped.back_to_sign_in': 'Sign in',

  'account.identities': 'Sign-in with other accounts',
  'account.identities_text': 'With these accounts at other sites you can sign in here.',
  'account.identity_since': 'Connected on {date}',
  'account.identity_never_used': 'Never used',
  'account.identity_remove': 'Remove',
  'account.identity_connect': 'Connect {provider}',
  'account.identity_unknown': 'A site that is no longer offered here',
  'connect.provider': 'Connect {provider}',
  'connect.text':
    'You go on to {provider} and sign in there. From then on you can sign in here with that account, too: whoever can use it can use this one.',
  'connect.go_on': 'Go on to {provider}',
  'connect.by_operator':
    'You are an administrator, so only whoever operates this server can connect your account, with the SQL function link_identity.',
  'connect.sign_in_again': 'Sign out and sign in again first: your last sign-in was more than 15 minutes ago.',
  'notice.identity_linked': 'Connected. You can now sign in that way, too.',
  'notice.identity_unlinked': 'Removed. You cannot sign in that way any more.',
  'problem.last_way_in': 'This is your last way to sign in, so it stays. Connect another account first.',
} as const;
