/** Signing in with a second factor. */
export const factors = {
  'factor.title': 'Two-step sign-in',
  'factor.text':
    'Besides the password, a sign-in then needs a code from an app on your phone. A stolen password alone opens nothing.',
  'factor.is_on': 'It is on.',
  'factor.is_off': 'It is off.',
  'factor.set_up': 'Set up',
  'factor.replace': 'Set up another app',
  'factor.remove': 'Turn off',
  'factor.new_codes': 'New recovery codes',
  'factor.codes_left': 'Recovery codes left: {count}.',
  'factor.elsewhere':
    'You have no password here, so there is nothing to protect with a code: turn on two-step sign-in at the place where you sign in.',
  'factor.setup': 'Set up an app',
  'factor.setup_app': 'Open an app for sign-in codes, or install one. Many password managers can do it, too.',
  'factor.setup_scan': 'Scan this picture with it.',
  'factor.picture': 'Picture for the app',
  'factor.setup_type': 'You cannot scan it? Type this key into the app:',
  'factor.setup_code': 'The code that the app shows now',
  'factor.confirm': 'Turn on',
  'factor.demanded_now': 'Everybody here signs in with a second factor. Set it up now; then your sign-in goes on.',
  'factor.asked_by_application':
    'The application requires two factors, and your account has one. Set up the second one now; then your sign-in goes on.',
  'factor.decline': 'Not now',
  'factor.codes': 'Your recovery codes',
  'factor.codes_once': 'They are shown only now.',
  'factor.codes_text':
    'If you lose the app, each of them lets you in once. Print them, or keep them where you keep your passwords.',
  'factor.codes_kept': 'I have kept them',
  'factor.step': 'Second step',
  'factor.step_text': 'Enter the code that your app shows.',
  'factor.code': 'Code from your app',
  'factor.code_hint': 'Or one of your recovery codes.',
  'factor.trust': 'Do not ask again in this browser for {days} days',
  'factor.use_key': 'Use a passkey or security key',
  'factor.other_way': 'Another way',
  'factor.recovery_code': 'Recovery code',
  'factor.recovery_code_hint': 'Each one works once.',
  'factor.ask_operator':
    'You have neither the app nor a recovery code? Whoever operates this server can turn off the second step, once they are sure that it is you.',
  'notice.factor_removed': 'Two-step sign-in is off. Your other sessions have ended.',
  'problem.changed_meanwhile':
    'Your ways to sign in were changed meanwhile, so nothing was saved. This page shows them as they are now.',
  'problem.code_needed': 'Enter a code from your app.',
  'problem.wrong_code':
    'This code is wrong. Enter the one that the app shows now; the clock of your phone must be right.',
  'problem.used_code': 'This code was used already. Wait until the app shows the next one.',
  'problem.unreadable_factor':
    'Codes of your app cannot be checked here at the moment. Use a recovery code, or ask whoever operates this server.',
  'problem.factor_demanded': 'Whoever operates this server demands it, so it cannot be turned off.',
  'problem.sign_in_over':
    'This sign-in took longer than ten minutes, or your password or second factor was changed meanwhile. Please sign in again.',
} as const;
