import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../grants/failed-authentications.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { findTokenHistory } from '../../pages/token-history.ts';
import { forApplicationForm, renderApplication } from './registered-application.ts';

/** Answers the POST itself: a redirect would put the token into a URL or a cookie. */
export const showTokenHistory = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'activity', async (page) => {
    const token = fieldOf(bodyParameters(page.req), 'token').trim();
    const { history, facts } = await findTokenHistory(deps, token);
    if (history.kind === 'unknown') await limitFailures(deps, traceOf(page.req, page.res));
    const isOwn = facts === undefined || facts.client_id === page.application.client_id;
    return renderApplication(page, 'activity', 200, { token_history: isOwn ? history : { kind: 'unknown' } });
  });
