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
  'account.link_sent':
    'The address {address} is not confirmed yet. A mail to it has a link; open it in a browser in which you are signed in.',
  'account.send_again': 'Send the link',
  'notice.confirmation_sent': 'Saved. The address counts as soon as you have opened the link in the mail to it.',
  'notice.address_confirmed': 'Address confirmed.',
  'confirm.title': 'Confirm your address',
  'confirm.text': '{address} becomes the e-mail address of your account {username}.',
  'confirm.save': 'Confirm',
  'message.address_taken.title': 'Another account has this address',
  'message.address_taken.text':
    'It was confirmed for another account, so yours does not get it. If that account is yours, too, sign in to it, or ask whoever operates this server.',
  'message.other_account.title': 'This link belongs to another account',
  'message.other_account.text':
    'You are signed in with another account than the one for which the mail was asked. Sign out, and open the link again.',
  'message.secured.title': 'Everything has ended',
  'message.secured.text':
    'Nobody is signed in to your account any more. Sign in again the way you usually do, and look at your account.',
  'message.secured_without_way_in.title': 'Everything has ended',
  'message.secured_without_way_in.text':
    'Nobody is signed in to your account any more, and whatever could open it was added since. Ask whoever runs this server for a new way to sign in.',
  'not_me.title': 'This was not you',
  'not_me.address': 'The account keeps the address {address}, or gets it back.',
  'not_me.sessions': 'All sessions end. Then you choose a new password, if the account has one.',
  'not_me.since':
    'Applications that were allowed since then lose their access, and accounts of other sites that were connected since then are removed. Passkeys and recovery codes that were made since then no longer work.',
  'not_me.factor':
    'A second factor that was set up since then is turned off if you enter your password. Leave the field empty if it was you.',
  'not_me.factor_stays':
    'A second factor that was set up since then stays, since this link alone does not turn it off. If it was not you, ask whoever operates this server.',
  'not_me.since_when': 'This undoes what was done since:',
  'not_me.submit': 'End it all',
  'mail.confirm': 'Confirm this address',
  'mail.not_me': 'This was not me',
  'mail.confirm_address.subject': 'Confirm your address for {brand}',
  'mail.confirm_address.text':
    'Somebody, probably you, has entered this address in an account at {brand}.\nTo confirm it, open the link below in a browser in which you are signed in there. It is valid for one day. If it was not you, do nothing.',
  'mail.address_changing.subject': 'Your address at {brand} is about to change',
  'mail.address_changing.text':
    'Somebody, probably you, has entered another address for your account {username}. It replaces this one as soon as it is confirmed.\nIf it was not you, open the link below within a week: the account keeps this address, all sessions end, and you choose a new password.',
  'mail.address_replaced.subject': 'Your address at {brand} was replaced',
  'mail.address_replaced.text':
    'Whoever operates {brand} has given your account {username} another address. Mail about the account goes there from now on, and no longer to this one.\nIf you did not ask for it, tell them at once: whoever reads the mail at that address can set a new password.',
  'mails.title': 'Mails of the demo',
  'mails.text': 'The demo has no mail server: what it would have sent is here for a day.',
  'mails.none': 'There is no mail yet. Reload this page in a moment.',
  'mails.to': 'To {address}, {date}',
  'mails.here': 'See the mails of the demo',
  'back.playground': 'Back to the playground',
  'account.notices': 'Mails',
  'account.notices_text': 'You are told of what concerns the security of your account in any case.',
  'account.wants_notices': 'Tell me when an application gets lasting access',
  'notice.notices_saved': 'Saved.',
  'mail.password_changed.subject': 'Your password at {brand} was changed',
  'mail.password_changed.text':
    'The password of your account {username} was changed on {date}, from the internet address {address}.\nIf it was not you, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'mail.password_set.subject': 'Your password at {brand} was set',
  'mail.password_set.text':
    'Whoever operates {brand} has set the password of your account {username} on {date}, and ended all sessions.\nIf you did not ask for it, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'mail.factor_reset.subject': 'Your second factor at {brand} was turned off',
  'mail.factor_reset.text':
    'Whoever operates {brand} has turned off two-step sign-in of your account {username} on {date}, and ended all sessions. The password alone is enough until you set it up again.\nIf you did not ask for it, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'mail.new_browser.subject': 'A new browser at {brand}',
  'mail.new_browser.text':
    'Somebody has signed in to your account {username} with a browser in which you had not signed in before: on {date}, from the internet address {address}.\nIf it was not you, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'mail.wrong_codes.subject': 'Somebody knows your password at {brand}',
  'mail.wrong_codes.text':
    'Somebody has entered the password of your account {username}, and then wrong codes: on {date}, from the internet address {address}. None of the codes was right.\nIf it was not you, open the link below within a week: all sessions end, and you choose a new password.',
  'mail.way_in_added.subject': 'A new way to sign in at {brand}',
  'mail.way_in_added.text':
    'A new way to sign in to your account {username} was added on {date}, from the internet address {address}.\nIf it was not you, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'mail.factor_changed.subject': 'Your second factor at {brand} was changed',
  'mail.factor_changed.text':
    'Two-step sign-in of your account {username} was turned on, turned off or changed on {date}, from the internet address {address}.\nIf it was not you, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password. To turn off a new second factor, its page asks for your password.',
  'mail.application_allowed.subject': 'An application has access to your account at {brand}',
  'mail.application_allowed.text':
    'The application “{client}” was given access to your account {username} on {date}, from the internet address {address}. It lasts until you take it back on the page of your account, where you can also turn off such mails.\nIf it was not you, open the link below within a week: all sessions end, what was added since is removed, and you choose a new password.',
  'login.sign_up': 'Make an account',
  'sign_up.title': 'Make an account',
  'sign_up.text':
    'Enter your e-mail address. You receive a mail with a link by which you choose a username and a password.',
  'sign_up.sent':
    'A mail is on its way to this address. Its link is valid for one day. If nothing arrives within a few minutes, look in the spam folder.',
  'sign_up.for': 'The account gets the address {address}.',
  'sign_up.username_hint': '2 to 40 letters from a to z and digits; also . _ - in between.',
  'sign_up.save': 'Make the account',
  'problem.username_malformed':
    'The username must have 2 to 40 letters from a to z and digits, at least one letter, and . _ - in between only.',
  'problem.username_reserved': 'Nobody gets this username. Choose another one.',
  'problem.username_taken': 'Somebody has this username, or this address, already. Choose another username.',
  'message.signed_up.title': 'Your account is made',
  'message.signed_up.text': 'Sign in with your username and your password.',
  'mail.make_account': 'Make an account',
  'mail.sign_in': 'Sign in',
  'mail.sign_up.subject': 'Your account at {brand}',
  'mail.sign_up.text':
    'Somebody, probably you, wants to make an account at {brand} with this address.\nThe link below is valid for one day; you choose a username and a password there. If it was not you, do nothing: there is no account.',
  'mail.invitation.subject': 'Invitation to {brand}',
  'mail.invitation.text':
    'You are invited to make an account at {brand}.\nThe link below is valid for one week; you choose a username and a password there.',
  'mail.account_exists.subject': 'You have an account at {brand}',
  'mail.account_exists.text':
    'Somebody, probably you, wanted to make an account at {brand} with this address, which has one already.\nSign in with it. If you have forgotten the password, the sign-in page has a link for that. If it was not you, do nothing.',
} as const;
