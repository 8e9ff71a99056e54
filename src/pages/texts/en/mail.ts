/** Mails, and the pages behind their links. */
export const mail = {
  'login.forgot': 'Forgotten your password?',
  'login.forgot_ask': 'If you have forgotten your password, ask whoever operates this server.',
  'login.support': 'Get help',
  'forgot.title': 'Forgotten password',
  'forgot.text':
    'Enter your username or e-mail address. You receive a mail with a link by which you set a new password.',
  'forgot.send': 'Send the link',
  'forgot.sent_title': 'Check your mailbox',
  'forgot.sent':
    'If there is an account with this name and a confirmed e-mail address, a mail is on its way to it. Its link is valid for one hour. If nothing arrives within a few minutes, look in the spam folder.',
  'reset.title': 'Set a new password',
  'reset.account': 'For the account {username}.',
  'reset.text': 'All sessions of this account end. Then sign in with the new password.',
  'reset.save': 'Save the new password',
  'message.link_over.title': 'This link is no longer valid',
  'message.link_over.text':
    'It was used already, is too old, was replaced by a newer one, or your account has changed since. Ask for a new one.',
  'message.password_reset.title': 'Your new password is set',
  'message.password_reset.text': 'All sessions of your account have ended. Sign in with the new password.',
  'back.sign_in': 'Sign in',
  'back.new_link': 'Ask for a new link',
  'mail.footer': 'Sent by {brand} ({host}). Nobody reads answers to this mail.',
  'mail.set_password': 'Set a new password',
  'mail.reset.subject': 'A new password for {brand}',
  'mail.reset.text':
    'Somebody, probably you, has asked for a new password for your account {username}.\nThe link below is valid for one hour and works once. If it was not you, do nothing: your password stays as it is.',
  'mail.no_password.subject': 'Your account at {brand} has no password',
  'mail.no_password.text':
    'Somebody, probably you, has asked for a new password for your account {username}.\nIt has no password, so there is none to replace: sign in the way you usually do. If it was not you, do nothing.',
  'mail.test.subject': 'Mail from {brand} arrives',
  'mail.test.text': 'An operator of {host} has sent this mail to see whether mails arrive. There is nothing to do.',
} as const;
