import type { ApplicationField, ApplicationForm, FieldProblem } from '../../pages/views/developer.ts';

type Problem = NonNullable<ApplicationForm['problems']>[number];

/** The sentences in which register_client refuses, in the words of the page. */
const known: readonly [sentence: RegExp, field: ApplicationField, name: FieldProblem][] = [
  [/^name is missing/, 'name', 'missing'],
  [/^name is longer/, 'name', 'too_long'],
  [/^name /, 'name', 'refused'],
  [/^site_domain is missing/, 'site_domain', 'missing'],
  [/^site_domain '/, 'site_domain', 'not_a_domain'],
  [/^homepage_uri .* lies outside the site domain '[^']*'$/s, 'homepage_uri', 'outside_domain'],
  [/^logo_uri .* lies outside the site domain '[^']*'$/s, 'logo_uri', 'outside_domain'],
  [/^homepage_uri /, 'homepage_uri', 'not_https'],
  [/^logo_uri /, 'logo_uri', 'not_https'],
  [/^redirect_uris is empty/, 'redirect_uris', 'missing'],
  [/^redirect_uris has /, 'redirect_uris', 'too_many'],
  [/^redirect URI .* lies outside the site domain '[^']*'$/s, 'redirect_uris', 'outside_domain'],
  [/^redirect URI .* the site domain in reverse order$/s, 'redirect_uris', 'not_reversed_domain'],
  [/^redirect URI .* has a fragment$/s, 'redirect_uris', 'has_fragment'],
  [/^redirect URI .* has a wildcard$/s, 'redirect_uris', 'has_wildcard'],
  [/^redirect URI .* is not https$/s, 'redirect_uris', 'not_https'],
  [/^redirect URI .* (is neither https nor .*|is not of the form .*)$/s, 'redirect_uris', 'not_a_uri'],
  [/^redirect URI /, 'redirect_uris', 'refused'],
  [/^scopes is empty/, 'scopes', 'missing'],
];

/** Which field is wrong, and why. A sentence without a translation is shown as the database wrote it. */
export function fieldProblemOf(sentence: string): Problem {
  const reason = sentence.replace(/^register_client\(.*?\): /s, '');
  const [, field, name] = known.find(([pattern]) => pattern.test(reason)) ?? [reason, 'scopes', 'refused'];
  return { field, name, value: name === 'refused' ? reason : valueIn(reason) };
}

/** The first literal of the sentence, in the two forms in which Postgres writes one. */
function valueIn(reason: string): string | undefined {
  const [, escaped, literal] = /(E?)'((?:[^']|'')*)'/.exec(reason) ?? [];
  const text = literal?.replaceAll("''", "'");
  return escaped ? text?.replaceAll('\\\\', '\\') : text;
}
