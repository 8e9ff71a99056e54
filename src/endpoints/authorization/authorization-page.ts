import { redirectWithin } from '../../http/answers.ts';
import { type Dialect, flowPaths } from '../../http/dialect.ts';
import { queryParameters, rawQuery } from '../../http/parameters.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { Parameters } from '../../protocol/parameters.ts';

/** The context of a page of the authorization flow. The query of every such page is the authorization request. */
export interface AuthorizationPage extends PageContext {
  readonly dialect: Dialect;
}

/** The same for a person who is signed in. */
export interface SignedInAuthorizationPage extends AuthorizationPage {
  readonly user_id: number;
}

/** The parameters of the authorization request. Asynchronous, so that a stored request can be looked up here [9126 §4]. */
export async function requestParameters({ req }: AuthorizationPage): Promise<Parameters> {
  return queryParameters(req);
}

type Step = keyof (typeof flowPaths)[Dialect];

/** The path of another step of the same authorization request, with the query as it came. */
export function stepPath({ req, dialect }: AuthorizationPage, step: Step): `/${string}` {
  const query = rawQuery(req);
  return query === '' ? flowPaths[dialect][step] : `${flowPaths[dialect][step]}?${query}`;
}

export function redirectToStep(page: AuthorizationPage, step: Step): void {
  redirectWithin(page.res, page.deps.config, stepPath(page, step));
}
