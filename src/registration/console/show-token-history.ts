import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { fieldOf } from '../../web/form-field.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { forApplicationForm, renderApplication } from './registered-application.ts';
import { findTokenHistory } from './token-history.ts';

/** Shows the history in the answer of the POST: a redirect would put the token into a URL or a cookie. */
export const showTokenHistory = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'activity', async (page) => {
    const token = fieldOf(bodyParameters(page.req), 'token').trim();
    const { history, facts } = await findTokenHistory(deps, token);
    if (history.kind === 'unknown') await limitFailures(deps, traceOf(page.req, page.res));
    const isOwn = facts === undefined || facts.client_id === page.application.client_id;
    return renderApplication(page, 'activity', 200, { token_history: isOwn ? history : { kind: 'unknown' } });
  });
