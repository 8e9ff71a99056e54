/** Signing in at another site, and what goes wrong there. */
export const elsewhere = {
  'login.website': 'Sign in at {host}',
  'signed_out.website': 'You may still be signed in at {host}.',
  'signed_out.website_link': 'Go to {host}',
  'back.again': 'Try again',
  'back.go_on': 'Continue',
  'message.elsewhere_unknown.title': 'This sign-in did not begin here',
  'message.elsewhere_unknown.text':
    'It began in another browser, or more than ten minutes ago. Nobody was signed in. If somebody sent you this link, do not open it again; otherwise go back to the application and start over.',
  'message.elsewhere_over.title': 'This sign-in is over',
  'message.elsewhere_over.text': 'It was completed or cancelled before, perhaps by a second click.',
  'message.elsewhere_invalid.title': 'The answer cannot be used',
  'message.elsewhere_invalid.text':
    'What the other site said about your sign-in is not valid here. You are not signed in. If it happens again, tell whoever operates this server.',
  'message.elsewhere_stale.title': 'A new sign-in is needed',
  'message.elsewhere_stale.text':
    'The application wants you to sign in anew, but the other site let you pass with an earlier sign-in. Sign out there, then try again.',
  'message.elsewhere_uncertain.title': 'Please try again in a moment',
  'message.elsewhere_uncertain.text':
    'Right now it cannot be checked whether the answer comes from the right site. Nothing is lost.',
  'message.elsewhere_failed.title': 'The other site reported a problem',
  'message.elsewhere_failed.text':
    'You are not signed in. You can try again; if it keeps failing, tell whoever operates the other site.',
  'message.elsewhere_denied.title': 'You are not signed in',
  'message.elsewhere_denied.text': 'You cancelled the sign-in at the other site.',
  'message.elsewhere_of_another_source.title': 'This account belongs to another sign-in',
  'message.elsewhere_of_another_source.text':
    'There is an account here with your number, but people sign in to it in another way, so you cannot open it from there. Sign in that way, or ask whoever operates this server.',
  'message.elsewhere_disabled.title': 'Your account is disabled',
  'message.elsewhere_disabled.text': 'Whoever operates this server has disabled it. Please ask them.',
  'account.again': 'Sign in again',
  'account.again_hint': 'Sign in again before you do this: your last sign-in was more than 15 minutes ago.',
  'account.email_again_hint':
    'To enter a new address, sign in again first: your last sign-in was more than 15 minutes ago.',
  'account.no_password': 'You sign in at another site, so you have no password here.',
  'problem.sign_in_elsewhere':
    'The site at which you signed in does not say when it last asked who you are, and this change needs to know. Sign in another way, or ask the operator of this server.',
  'problem.sign_in_again':
    'Your last sign-in was more than 15 minutes ago. Sign in again, then send the form once more.',
  'delete.profile_elsewhere':
    'Your username, name and e-mail address are deleted here, and you are signed out everywhere. If you sign in again later, you get a new account.',
  'playground.website_off_text':
    'People can also sign in where they always do: at the login page of your website. A demo website shows how.',
  'playground.website_switch_on': 'Switch the demo website on',
  'playground.website_on_text': 'The demo website is on: the sign-in page now has a button that leads there.',
  'playground.website_switch_off': 'Switch it off',
  'demo_website.title': 'The demo website',
  'demo_website.text':
    'This page plays the login page of your own website. The server has sent you here with a signed request; your website checks the signature, signs you in as it always does, and sends you back with a signed answer.',
  'demo_website.sign_in': 'Sign in as {name}',
  'demo_website.cancel': 'Cancel',
  'demo_website.request': 'The request',
  'demo_website.refused': 'The demo website got no valid request: it was changed, or is older than ten minutes.',
} as const;
