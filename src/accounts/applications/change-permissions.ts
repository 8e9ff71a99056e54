import { isDeepStrictEqual } from 'node:util';
import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { changedMeanwhile, isOwnInput, type Meanwhile } from '../../identity/form-origin.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { isLookingThrough } from '../../oauth/choice/choice-form.ts';
import { type Choices, chosenOf } from '../../oauth/choice/choices.ts';
import { changeGrant } from '../../oauth/consent/grant-changes.sql.ts';
import { redirectWithin } from '../../web/answers.ts';
import { applicationPath } from '../../web/client-path.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import {
  type ConnectedPage,
  forConnected,
  renderApplication,
  sentValues,
  storedValues,
  tickedIn,
} from './application.ts';
import { boxesOf, chosenIn } from './choices.ts';
import { type ConnectedApplication, findConnectedApplication } from './connected-applications.sql.ts';

/** Changes the permissions of an application, and what they are limited to, at once: every use of a token reads the grant. */
export const changePermissions = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    if (problem) return renderApplication(page, { problem, ...(isOwnInput(page, form) && { form }) });
    if (isLookingThrough(form)) return renderApplication(page, { form });
    const choices = await chosenIn(page, page.application, form);
    if (typeof choices === 'string') return renderApplication(page, { problem: choices, form });
    return save(page, form, choices);
  });

async function save(page: ConnectedPage, form: Parameters, choices: Choices): Promise<void> {
  const { deps, req, res, user, application } = page;
  const { user_id } = user;
  const { client_id, version } = application;
  const chosen = tickedIn(form);
  const sent = sentValues(application, chosen, choices);
  const meanwhile = changedMeanwhile(form, sent, storedValues(application, Object.keys(choices)));
  if (meanwhile)
    return renderApplication(page, { form: mergedForm(form, meanwhile), changed_meanwhile: meanwhile.changed });
  const trace = traceOf(req, res);
  const sessions_version = sessionsVersionOf(req);
  const change = {
    user_id,
    client_id,
    chosen,
    choices: inOrder(application, choices),
    version,
    sessions_version,
  };
  const changed = await changeGrant(deps.database, change, trace);
  if (changed === undefined) return saveAgain(page, form, choices);
  const { has_required, detail } = changed;
  if (!has_required) return renderApplication(page, { problem: 'required_missing', form });
  if (detail !== null) logEvent(deps, trace, { event: 'consent_changed', user_id, client_id, detail });
  return redirectWithin(res, deps.config, `${applicationPath(client_id)}?notice=permission_changed`);
}

/** The form with the values that are to be saved now. */
const mergedForm = (form: Parameters, { values }: Meanwhile<Readonly<Record<string, unknown>>>): Parameters => ({
  ...form,
  scope: Object.keys(values).filter((scope) => values[scope] === true),
  ...Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => {
      const [, name] = /^"(choice\..*)"$/.exec(field) ?? [];
      return name ? [[name, value as string[]]] : [];
    }),
  ),
});

/** What was chosen before stays in its order, so that it does not count as changed. */
const inOrder = (application: ConnectedApplication, choices: Choices): Choices =>
  Object.fromEntries(
    Object.entries(choices).map(([name, values]) => {
      const stored = chosenOf(application.choices, name) ?? [];
      return [name, isDeepStrictEqual(boxesOf(values), boxesOf(stored)) ? stored : values];
    }),
  );

/** The permissions were changed a moment ago, by the first of two clicks or by another decision; or else the session has ended. */
async function saveAgain(page: ConnectedPage, form: Parameters, choices: Choices): Promise<void> {
  const { deps, user, application } = page;
  const now = await findConnectedApplication(deps.database, user.user_id, application.client_id);
  if (!now || now.version === application.version)
    return redirectWithin(page.res, deps.config, applicationPath(application.client_id));
  return save({ ...page, application: now }, form, choices);
}
