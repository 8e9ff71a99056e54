import { createHash, createHmac } from 'node:crypto';
import type { Parameters } from '../protocol/parameters.ts';
import { fieldOf } from './form-field.ts';
import type { SignedInPage } from './person.ts';
import type { ChangedField } from './views/parts.ts';

// A form carries what it was made from: whose it is, and a digest of each value that it showed. So an older tab does not bring back
// what was changed meanwhile, and a form that outlives its session is shown again to its person only, see kept-form.ts.

/** By field, in any notation that JSON knows. */
export type FormValues = Readonly<Record<string, unknown>>;

/** The value of the hidden field `made_from`. */
export function madeFrom({ deps: { sessionSecrets }, user }: SignedInPage, values: FormValues = {}): string {
  const digests = Object.entries(values).map(([field, value]) => `${field}=${digestOf(value)}`);
  return [markOf(sessionSecrets[0] ?? '', user.user_id), ...digests].join(' ');
}

/** Whether the form was shown to the person who is signed in now. */
export function isFormOf({ deps: { sessionSecrets }, user }: SignedInPage, made_from: string): boolean {
  const [mark] = made_from.split(' ', 1);
  return sessionSecrets.some((secret) => mark === markOf(secret, user.user_id));
}

/** Whether what was typed may be shown again to this person: after another sign-in in this browser it may be somebody else's. */
export const isOwnInput = (page: SignedInPage, form: Parameters): boolean => isFormOf(page, fieldOf(form, 'made_from'));

export interface Meanwhile<Values> {
  /** what saving the form again replaces */
  changed: ChangedField[];
  /** what was typed, and for every field that the person left alone what is stored now */
  values: Values;
}

/**
 * Compares a form with what is stored now. Undefined if saving it overwrites nothing that was changed since it was made. A form that
 * does not say what it was made from, as those of an earlier release, counts as made from something else in every field.
 */
export function changedMeanwhile<Values extends FormValues>(
  form: Parameters,
  typed: Values,
  now: Values,
): Meanwhile<Values> | undefined {
  const shown = new Map(
    fieldOf(form, 'made_from')
      .split(' ')
      .map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)]),
  );
  const values: Record<string, unknown> = { ...typed };
  const changed: ChangedField[] = [];
  for (const field of Object.keys(now)) {
    const [yours, stored] = [digestOf(typed[field]), digestOf(now[field])];
    if (yours === stored || shown.get(field) === stored) continue;
    if (shown.get(field) === yours) values[field] = now[field];
    changed.push({ field, yours: textOf(typed[field]), now: textOf(now[field]) });
  }
  return changed.length === 0 ? undefined : { changed, values: values as Values };
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

const markOf = (secret: string, user_id: number) =>
  createHmac('sha256', secret).update(`person of a form\n${user_id}`).digest('base64url').slice(0, 22);

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '';
  return Array.isArray(value) ? value.filter((part) => part !== '').join('\n') : String(value);
}
