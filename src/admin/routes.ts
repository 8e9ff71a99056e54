import type { RequestHandler } from 'express';
import { toParent } from '../identity/person.ts';
import { stillSignedIn } from '../identity/session.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { pageErrors } from '../oauth/page-refusals.ts';
import { administrationPoolSize } from '../operations/connections.ts';
import { ownConnections } from '../postgres/share.ts';
import { body } from '../web/body.ts';
import { keeping } from '../web/kept-form.ts';
import { addRoute } from '../web/route.ts';
import { administratorsOnly } from './administrator.ts';
import { administer, showAdministered } from './application.ts';
import { findApplications } from './applications.ts';
import { changePerson } from './change-person.ts';
import { showCharts } from './charts.ts';
import { exportAudit, showEvents } from './events.ts';
import { changeGrants, showGrants } from './grants.ts';
import { showHealth } from './health.ts';
import { addPerson, showNewPerson } from './new-person.ts';
import { showPeople } from './people.ts';
import { showPerson } from './person.ts';
import { changeResource, showResource } from './resource.ts';
import { registerResource, showResources } from './resources.ts';
import { changeScope, showScope } from './scope.ts';
import { registerScope, showScopes } from './scopes.ts';

export function addAdministration({ app, deps: server, withSession }: Addresses): void {
  // pages for administrators have connections of their own, for short statements
  const deps = { ...server, database: ownConnections(server.database, administrationPoolSize(server.config), '1s') };
  /** This path exists for administrators only, whatever the method: everybody else gets what an unknown path answers. */
  const adminRoute = (path: string, show: RequestHandler, change?: RequestHandler) => {
    const before = [...withSession, administratorsOnly(deps)];
    const post = change && [body, stillSignedIn, administratorsOnly(deps), change];
    addRoute(app, path, { before, get: [show], ...(post && { post }) }, pageErrors(deps));
  };

  adminRoute('/admin', showPeople(deps));
  adminRoute('/admin/people', showPeople(deps));
  adminRoute('/admin/people/new', showNewPerson(deps), keeping(/^(address|username|name|email)$/, addPerson(deps)));
  adminRoute('/admin/people/:user_id', showPerson(deps), keeping(/^(name|email|vouched)$/, changePerson(deps)));
  adminRoute('/admin/grants', showGrants(deps), changeGrants(deps));
  adminRoute('/admin/events', showEvents(deps));
  adminRoute('/admin/events/export', toParent(deps), exportAudit(deps));
  adminRoute('/admin/applications', findApplications(deps));
  adminRoute('/admin/applications/:client_id', showAdministered(deps), administer(deps));
  const newScope = /^(name|sentence|group_name|changes)$/;
  adminRoute('/admin/scopes', showScopes(deps), keeping(newScope, registerScope(deps)));
  adminRoute('/admin/scopes/:name', showScope(deps), keeping(/^(action|sentence(:[a-z]+)?)$/, changeScope(deps)));
  const newResource = /^(resource|scopes|client_id|token_format)$/;
  adminRoute('/admin/resources', showResources(deps), keeping(newResource, registerResource(deps)));
  adminRoute(
    '/admin/resources/:resource',
    showResource(deps),
    keeping(/^(action|scopes|client_id|token_format)$/, changeResource(deps)),
  );
  adminRoute('/admin/health', showHealth(deps));
  adminRoute('/admin/charts', showCharts(deps));
}
