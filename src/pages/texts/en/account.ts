/** The person's own pages: account, connected applications. */
export const account = {
  'account.title': 'Your account',
  'account.profile': 'Profile',
  'account.name': 'Name',
  'account.email': 'E-mail address',
  'account.email_pending':
    'This address is not confirmed yet. Until it is, {email} remains yours, and applications receive that one.',
  'account.email_unconfirmed': 'This address is not confirmed, so it is not given to applications.',
  'account.username': 'Username',
  'account.save': 'Save',
  'account.password': 'Change password',
  'account.password_text': 'When you change your password, all your other sessions end.',
  'account.old_password': 'Current password',
  'account.current_password_hint': 'Needed only for a new e-mail address, which is then not given to applications.',
  'account.new_password': 'New password',
  'account.new_password_hint':
    'At least 8 characters. A phrase of several words is easier to remember than special characters.',
  'account.repeat_password': 'Repeat the new password',
  'account.applications_keep': 'Applications keep their access when you change your password.',
  'account.end_access': 'Also revoke the access of all applications',
  'account.change_password': 'Change password',
  'account.sessions': 'Where you are signed in',
  'account.this_session': 'This session',
  'account.session_since': 'Signed in on {date}',
  'account.session_used': 'Last used {ago}',
  'account.end_session': 'End session',
  'account.end_others': 'End all other sessions',
  'account.activity': 'Recent activity',
  'account.no_activity': 'No recent activity.',

  'activity.signed_in': 'Signed in',
  'activity.sign_in_failed': 'Failed sign-in: wrong password',
  'activity.signed_out': 'Signed out',
  'activity.password_changed': 'Password changed',
  'activity.profile_changed': 'Profile changed',
  'activity.session_ended': 'Session ended',
  'activity.application_allowed': 'Access of {client} allowed',
  'activity.application_refused': 'Access of {client} denied',
  'activity.application_revoked': 'Access of {client} revoked',
  'activity.permission_changed': 'Permissions of {client} changed',
  'activity.refresh_token_reused':
    'A refresh token of {client} was used twice and may have been copied. All related tokens were revoked; the permissions you gave remain.',
  'activity.code_reused':
    'An authorization code of {client} was used twice and may have been copied. The tokens issued for it were revoked; the permissions you gave remain.',
  'activity.token_leaked':
    'A token of {client} was reported as leaked. All related tokens were revoked; the permissions you gave remain.',

  'notice.profile_saved': 'Profile saved.',
  'notice.password_changed': 'Password changed. All your other sessions have ended.',
  'notice.password_changed_access_ended':
    'Password changed. All your other sessions have ended, and the access of all applications was revoked.',
  'notice.session_ended': 'Session ended.',
  'notice.sessions_ended': 'All other sessions ended.',
  'notice.permission_changed': 'Permissions saved. The change is in effect.',
  'notice.application_revoked': 'Access revoked. The tokens of the application no longer work.',
  'problem.wrong_old_password': 'The current password is incorrect.',
  'problem.password_needed': 'Enter your current password to change the e-mail address.',
  'problem.password_too_short': 'The new password must have at least 8 characters.',
  'problem.password_too_long':
    'The new password is too long. The limit is 72 bytes, which is 72 letters without accents.',
  'problem.passwords_differ': 'The two new passwords do not match.',
  'problem.name_invalid': 'The name must have 1 to 200 characters.',
  'problem.email_invalid': 'This is not a valid e-mail address.',

  'delete.title': 'Delete account',
  'delete.summary': 'Deletes your profile and ends everything that applications may do in your name.',
  'delete.final': 'This takes effect at once and cannot be undone.',
  'delete.profile':
    'Your username, name, e-mail address and password are deleted, and you are signed out everywhere. If somebody is given your username later, they get a new account.',
  'delete.access':
    'All applications lose their access to your account. What they have stored about you stays with them: ask them to delete it.',
  'delete.applications':
    'The applications that you manage stop working for everybody. Only an administrator can enable them again:',
  'delete.more': 'All your applications',
  'delete.kept':
    'The record of security events is kept for {days} days: what happened and when, the internet address, and the number of your account, but not your name.',
  'delete.submit': 'Delete my account',
  'delete.keep': 'Keep my account',
  'problem.last_administrator':
    'You are the only administrator of this server, so your account cannot be deleted. Ask whoever operates the server for a second administrator first.',

  'applications.title': 'Connected applications',
  'applications.text': 'These applications have access to your account, limited to the permissions you gave them.',
  'applications.none': 'You have not allowed any applications.',
  'applications.none_text': 'Applications that you allow appear here. You can revoke their access at any time.',
  'applications.claims_domain': 'Says that it belongs to {domain}. Nobody here has checked that.',
  'applications.allowed': 'Allowed',
  'applications.allowed_by': 'by {brand}, without asking you',
  'applications.since': 'Access since',
  'applications.used': 'Last used',
  'applications.never_used': 'Never',
  'applications.ends': 'Ends',
  'applications.ends_on': 'On {date}',
  'applications.ends_when_revoked': 'When you revoke it',
  'applications.once': 'Just this once, until {date} at the latest',
  'applications.may': 'This application can:',
  'applications.may_nothing': 'This application has no permissions.',
  'applications.details': 'Change permissions',
  'applications.revoke': 'Revoke access',
  'application.permissions': 'Permissions',
  'application.permissions_text':
    'Untick a permission to take it from the application. The change takes effect as soon as you save it.',
  'application.save': 'Save permissions',
  'application.revoke_title': 'Revoke access',
  'application.revoke_text':
    'All tokens of {client} stop working at once. The application can ask you for access again.',
} as const;
