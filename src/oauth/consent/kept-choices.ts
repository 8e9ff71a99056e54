import { z } from 'zod';
import { isFormOf } from '../../identity/form-origin.ts';
import { type Parameters, parseForm } from '../../lib/parameters.ts';
import { keepForm, keptParameter, openKept } from '../../web/kept-form.ts';
import {
  type AuthorizationPage,
  carriedQuery,
  queryOf,
  type SignedInAuthorizationPage,
  withParameter,
} from '../authorize/authorization-page.ts';
import { flowPaths } from '../github/dialect.ts';
import type { ConsentProblem } from './consent.view.ts';
import type { GrantDuration } from './grants.sql.ts';

// What a person had chosen on a consent form that is shown again: after a mistake, in another language, or after a new sign-in.

/** A consent form that is shown again: what was wrong with it, and what the person had chosen. */
export interface ReturnedForm {
  problem?: ConsentProblem;
  /** valid for the earlier form */
  ticket?: string;
  ticked?: readonly string[];
  duration?: GrantDuration;
  /** the fields of the form, for what was chosen in it, see choicesInForm */
  fields?: Parameters;
}

export const choicesSchema = z.object({
  scope: z.union([z.string(), z.array(z.string())]).default([]),
  duration: z.enum(['always', '30d', 'once']).default('always'),
});

/** The boxes and the duration that the person chose in an earlier form, to be shown again and not to be acted on. */
export function choicesIn(form: Parameters): ReturnedForm {
  const { success, data } = choicesSchema.safeParse(form);
  return success ? { ticked: [data.scope].flat(), duration: data.duration, fields: form } : {};
}

/** Stands for choices that cannot be kept: opens as nothing. */
const lostChoices = '-';

/** What the same person had chosen when the session ended. If that is lost, nothing counts as chosen: a refusal may be among it. */
export function choicesBefore(page: SignedInAuthorizationPage): ReturnedForm {
  const sealed = parseForm(queryOf(page))[keptParameter];
  if (sealed === undefined) return {};
  const kept = openKept(page, sealed, flowPaths[page.dialect].consent);
  if (!kept) return { problem: 'choices_lost', ticked: [], duration: 'once', fields: {} };
  return isFormOf(page.deps, page.user_id, kept) ? choicesIn(kept) : {};
}

/** Node refuses headers of more than 16 KB, cookies included. */
const longestAddress = 12_000;

/** Whatever leads back to this request shows the boxes and the duration as the person has left them, or that they are to choose again. */
export function keepingChoices<Page extends AuthorizationPage>(page: Page): Page {
  const kept = keepForm(page);
  const isFitting = kept !== undefined && carriedQuery(page).length + kept.length <= longestAddress;
  return withParameter(page, keptParameter, isFitting ? kept : lostChoices);
}
