/** The sign-in that an application or a change demands, and what the person can take along. */
export const stepUp = {
  'login.step_up':
    'You are already signed in, but the application requires two factors: a passkey, or your password and a code, for instance. Please sign in again.',
  'problem.password_common':
    'This password is one of the 10,000 most common ones, which others try first. Choose another one.',
  'problem.password_is_name': 'Your password must not be your username or address, nor the name of this server.',
  'export.title': 'Download your data',
  'export.summary':
    'Everything that is kept here about you as one file: your profile, connected accounts, sessions, the access of applications and your activity.',
  'export.download': 'Download as JSON',
  'method.password': 'password',
  'method.website': 'your website account',
  'method.provider': 'another provider',
  'method.passkey': 'passkey',
  'method.security_key': 'security key',
  'method.totp': 'code of an app',
  'method.recovery_code': 'recovery code',
  'method.trusted_browser': 'trusted browser',
  'error_title.insufficient_user_authentication': 'You have to sign in again',
  'error_title.unmet_authentication_requirements': 'The application requires a second factor',
  'error_text.unmet_authentication_requirements':
    'You have signed in with one factor. Add a second one to your account if you can, then start again from the application.',
  'explained.insufficient_user_authentication.meaning':
    'The token is valid, but the user signed in too long ago, or with fewer factors than a scope of this request demands. WWW-Authenticate says which level (acr_values) and which age (max_age).',
  'explained.insufficient_user_authentication.cause.1':
    'The user has signed in with one factor, or earlier than max_age. A refresh is no sign-in: the new token has the same acr and auth_time.',
  'explained.insufficient_user_authentication.fix.1':
    'Send the user to /authorize with acr_values and max_age as WWW-Authenticate has them, and use the token that you get then. Never retry with the same token.',
  'explained.insufficient_user_authentication.cause.2':
    'The token was issued by a release that did not keep the sign-in, or the user signed in at a provider that does not say when.',
  'explained.insufficient_user_authentication.fix.2': 'The same: a new authorization has what is missing.',
  'explained.unmet_authentication_requirements.meaning':
    'The user cannot sign in as acr_values, or one of the scopes, demands.',
  'explained.unmet_authentication_requirements.cause.1':
    'The user has no second factor, or the place at which the user signs in does not tell of one.',
  'explained.unmet_authentication_requirements.fix.1':
    'Go on with less, or ask the user to add a second factor. Sending the same request again changes nothing.',
  'explained.unmet_authentication_requirements.cause.2': 'acr_values names no level that this server knows.',
  'explained.unmet_authentication_requirements.fix.2':
    'Take the names from acr_values_supported in the server metadata.',
} as const;
