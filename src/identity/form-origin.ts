import { createHash, createHmac } from 'node:crypto';
import type { Deps } from '../deps.ts';
import type { Parameters } from '../lib/parameters.ts';
import { isEqual } from '../web/form-key.ts';
import { keptIn, openKept } from '../web/kept-form.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { ChangedField } from '../web/views/parts.ts';
import type { SignedInPage } from './person.ts';

// A form carries what it was made from: whose it is, and a digest of each value that it showed. So an older tab does not bring back
// what was changed meanwhile, and a form that outlives its session is shown again to its person only, see kept-form.ts.

/** Values by field, in any notation that JSON knows. */
export type FormValues = Readonly<Record<string, unknown>>;

/** The value of the hidden field `made_from`. */
export function madeFrom({ deps, user }: SignedInPage, values: FormValues = {}): string {
  const digests = Object.entries(values).map(([field, value]) => `${field}=${digestOf(value)}`);
  return [personMark(deps, user.user_id), ...digests].join(' ');
}

/** The value of `made_from` for a form that is not made from anything stored. */
export const personMark = ({ sessionSecrets }: Deps, user_id: number): string =>
  markOf(sessionSecrets[0] ?? '', user_id);

/** Whether the form was shown to this person: after another sign-in in the same browser it may be somebody else's. */
export function isFormOf({ sessionSecrets }: Deps, user_id: number, form: Parameters): boolean {
  const [mark = ''] = fieldOf(form, 'made_from').split(' ', 1);
  return sessionSecrets.some((secret) => isEqual(mark, markOf(secret, user_id)));
}

/** Whether the input of a form may be shown again. */
export const isOwnInput = ({ deps, user }: SignedInPage, form: Parameters): boolean =>
  isFormOf(deps, user.user_id, form);

/** What the person had typed into the form at this path when the session ended, see kept-form.ts. */
export function keptInput(page: SignedInPage, path: string): Parameters | undefined {
  const form = openKept(page, keptIn(page.req), path);
  return form && isOwnInput(page, form) ? form : undefined;
}

/** A restored form still says what its first page was made from. */
export const restored = (kept: Parameters) => ({ made_from: fieldOf(kept, 'made_from'), is_restored: true });

export interface Meanwhile<Values> {
  /** what saving the form again replaces */
  changed: ChangedField[];
  /** what was typed, and for every field that the person left alone what is stored now */
  values: Values;
}

/**
 * Compares a form with what is stored now. Undefined if saving it overwrites nothing that was changed since it was made. A form that
 * does not say what it was made from, as those of an earlier release, counts as made from something else in every field; in another form,
 * a field that its page did not have is as it is stored.
 */
export function changedMeanwhile<Values extends FormValues>(
  form: Parameters,
  typed: Values,
  now: FormValues,
): Meanwhile<Values> | undefined {
  const shown = new Map(
    fieldOf(form, 'made_from')
      .split(' ')
      .map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)]),
  );
  const values: Record<string, unknown> = { ...typed };
  const changed: ChangedField[] = [];
  for (const field of Object.keys(now)) {
    // a field that the form shows and does not send has no value in it
    const [yours, stored] = [field in typed ? digestOf(typed[field]) : '', digestOf(now[field])];
    if (yours === stored || shown.get(field) === stored) continue;
    const isLeft = shown.has(field) ? shown.get(field) === yours : shown.size > 1;
    if (isLeft) values[field] = now[field];
    changed.push({ field, yours: field in typed ? textOf(typed[field]) : undefined, now: textOf(now[field]) });
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
