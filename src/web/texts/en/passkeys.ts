/** Passkeys, and being without a password. */
export const passkeys = {
  'passkeys.sign_in': 'Sign in with a passkey',
  'passkeys.none_used': 'No passkey was used. Try again, or sign in in another way.',
  'problem.passkey_refused': 'You could not be signed in with this passkey. Try again, or sign in in another way.',
  'passkeys.title': 'Passkeys',
  'passkeys.text':
    'With a passkey you sign in with your fingerprint, your face or the PIN of your device, without a password. It works at this site only, so no other site can trick you out of it.',
  'passkeys.none': 'You have no passkey yet.',
  'passkeys.since': 'Added on {date}',
  'passkeys.never_used': 'Never used',
  'passkeys.only_second': 'Second factor only',
  'passkeys.dead': 'Works only at {host}',
  'passkeys.change': 'Rename or remove',
  'passkeys.add': 'Add a passkey',
  'passkeys.add_key': 'Add a security key as a second factor',
  'passkeys.full': 'You have as many passkeys as a person can have here. Remove one to add another.',
  'passkeys.elsewhere':
    'Your account comes from elsewhere, and you sign in there. So there are no passkeys for it here.',
  'passkeys.new_text':
    'Your browser asks you where to keep the passkey: on this device, in a password manager, on your phone or on a security key.',
  'passkeys.new_key_text':
    'For a security key without PIN: it cannot sign you in alone, only confirm who you are after your password.',
  'passkeys.name': 'Name',
  'passkeys.name_hint': 'By which you will recognise it, for instance the device.',
  'passkeys.continue': 'Continue',
  'passkeys.make': 'Create',
  'passkeys.unavailable': 'This needs JavaScript, and a browser that knows passkeys.',
  'passkeys.none_made': 'Nothing was created. You can try again.',
  'passkeys.save': 'Rename',
  'passkeys.remove': 'Remove',
  'passkeys.remove_text':
    'You can no longer sign in with it then. Delete it on your device or in your password manager, too: this server cannot do that.',
  'problem.passkey_not_added': 'This could not be added. Try again, or with another device.',
  'problem.passkey_name_missing': 'Enter a name.',
  'problem.last_passkey':
    'This is your last way to sign in, or your only second factor, so it stays. Set a password, add another passkey, or turn off two-step sign-in first.',
  'problem.no_passkey': 'You need a passkey that you can sign in with here before you can remove your password.',
  'notice.passkey_added': 'Added. You can use it from now on.',
  'notice.passkey_renamed': 'Renamed.',
  'notice.passkey_removed': 'Removed. It no longer works here.',
  'notice.password_removed': 'Password removed. You sign in with a passkey from now on.',
  'notice.password_set': 'Password set. You can sign in with it from now on.',
  'password.remove': 'Remove password',
  'password.remove_summary':
    'You have a passkey, so you can do without a password: what does not exist cannot be stolen.',
  'password.remove_text':
    'From then on you sign in with a passkey only. If you lose all of your passkeys, only whoever operates this server can let you in again.',
  'password.set': 'Set a password',
  'password.set_text': 'You can then sign in with your username and this password, too.',
  'password.none': 'You have no password.',
} as const;
