import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { isOwnInput } from '../../identity/form-origin.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { changeChoices } from '../../oauth/choice/changed-choices.sql.ts';
import { choicesInForm, chosenInForm, isLookingThrough } from '../../oauth/choice/choice-form.ts';
import { type ChosenValues, chosenOf } from '../../oauth/choice/choices.ts';
import { redirectWithin } from '../../web/answers.ts';
import { applicationPath } from '../../web/client-path.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { type ConnectedPage, forConnected, renderApplication } from './application.ts';
import { choicesOf } from './choices.ts';
import type { ConnectedApplication } from './connected-applications.sql.ts';

/** Changes what an application may see of the person's things at once: every use of a token reads the grant. */
export const changeChosen = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    if (problem) return renderApplication(page, { problem, ...(isOwnInput(page, form) && { form }) });
    if (isLookingThrough(form)) return renderApplication(page, { form });
    return save(page, form);
  });

async function save(page: ConnectedPage, form: Parameters): Promise<void> {
  const { deps, req, res, user, application } = page;
  const { user_id, sub } = user;
  const { client_id } = application;
  const choices = await choicesOf(deps, application);
  const inputs = choicesInForm(choices, form);
  const chosen: Record<string, ChosenValues> = {};
  for (const choice of choices) {
    const { values } = inputs.get(choice.name) ?? { values: [] };
    const read = await chosenInForm(deps, choice, sub, { values, search: '', page: 1 });
    if (typeof read === 'string') return renderApplication(page, { problem: read, form });
    chosen[choice.name] = read;
  }
  const trace = traceOf(req, res);
  const version = fieldOf(form, 'version');
  const change = { user_id, client_id, choices: chosen, version, sessions_version: sessionsVersionOf(req) };
  const isChanged = await changeChoices(deps.database, change, trace);
  // the second of two clicks finds what the first has saved
  if (!isChanged && !isRecorded(application, chosen))
    return renderApplication(page, { problem: 'choice_changed', form });
  if (isChanged) {
    logEvent(deps, trace, { event: 'consent_changed', user_id, client_id, detail: Object.keys(chosen).join(' ') });
  }
  return redirectWithin(res, deps.config, `${applicationPath(client_id)}?notice=permission_changed`);
}

const isRecorded = ({ choices }: ConnectedApplication, chosen: Readonly<Record<string, ChosenValues>>): boolean =>
  Object.entries(chosen).every(([name, values]) => sorted(chosenOf(choices, name)) === sorted(values));

const sorted = (values: ChosenValues | undefined) =>
  JSON.stringify(values === true ? true : [...(values ?? [])].sort());
