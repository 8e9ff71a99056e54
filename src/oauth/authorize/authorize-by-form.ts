import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import { redirectWithin } from '../../web/answers.ts';
import { isForm, rawQuery } from '../../web/request-parameters.ts';
import { type Dialect, flowPaths } from '../github/dialect.ts';

const longestQuery = 8000;

/**
 * An authorization request as a form [6749 §3.1]: the browser is redirected to the same request in the query, with which
 * every page of the flow carries it on.
 */
export const authorizeByForm =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) => {
    if (!isForm(req)) throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
    if (rawQuery(req) !== '') {
      throw new OAuthError('invalid_request', 'a request that is sent as a form must not have a query as well');
    }
    const query = String(req.body);
    if (query.length > longestQuery) {
      throw new OAuthError('invalid_request', `the form is longer than ${longestQuery} characters`, { status: 413 });
    }
    if (/[^\x21-\x7e]|#/.test(query)) throw new OAuthError('invalid_request', 'the form is not percent-encoded');
    redirectWithin(res, deps.config, `${flowPaths[dialect].authorize}?${query}`);
  };
