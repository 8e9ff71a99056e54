import fc from 'fast-check';

/** Stands in everything that is made up here: where it comes back unescaped, something is reflected. */
export const marker = '<zq"\'>';

const nasty = [
  '',
  '%',
  '%00',
  '%FF',
  '%ED%A0%80',
  '%0d%0aSet-Cookie:%20zq=1',
  '\0',
  marker,
  '__proto__',
  'constructor',
  "' or 1=1--",
  '../../etc/passwd',
  '//evil.example',
  'javascript:alert(1)',
  '-1',
  '99999999999999999999',
  'NaN',
  '[]',
  '{"a":1}',
  'x'.repeat(300),
  'x'.repeat(9000),
  '\u202e\u200b\u{1F511}',
  'é'.normalize('NFD'),
  ';',
  '&&==&',
];

/** Anything, with what has hurt such servers before more often than not. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
  { weight: 3, arbitrary: fc.constant('\0') },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value + marker) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const authorization =
  'response_type client_id redirect_uri scope state code_challenge code_challenge_method prompt ui_locales response_mode resource';

/** What each kind of address reads, in its query and in its body; all the rest is noise there. */
export const read: [path: RegExp, query: string, body: string][] = [
  [/authorize$/, authorization, ''],
  [/login$/, `${authorization} to`, 'csrf username password'],
  [/forgot-password$/, authorization, 'csrf address'],
  [/(reset-password|not-me|sign-up.finish)$/, 'token ui_locales', 'csrf link username new_password end_access'],
  [/sign-up$/, authorization, 'csrf address'],
  [/consent$/, authorization, 'csrf ticket decision scope duration'],
  [/logout$/, authorization, 'csrf'],
  [
    /token$/,
    '',
    'grant_type resource code refresh_token redirect_uri code_verifier client_id client_secret client_assertion client_assertion_type scope csrf token',
  ],
  [/(revoke|introspect|leaked)$/, '', 'token csrf client_id client_secret client_assertion client_assertion_type'],
  [/user|emails/, 'access_token', 'access_token name email'],
  [/developer/, 'notice ui_locales', 'csrf name site_domain redirect_uris confidential use:user:name confirm handle'],
  [
    /account/,
    'notice ui_locales',
    'csrf wants_notices link name email old_password new_password repeat_password scope others',
  ],
  [/playground/, 'code state iss error prompt mode', 'csrf break'],
  [/./, 'ui_locales', 'csrf'],
];
