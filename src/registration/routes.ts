import { toParent } from '../identity/person.ts';
import { ownDocuments } from '../lib/client-id.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { body } from '../web/body.ts';
import { keeping } from '../web/kept-form.ts';
import { notForHead } from '../web/route.ts';
import { changeApplication, deleteApplication, disable, enable, vouch } from './console/change.ts';
import { registerNewApplication, showNewApplication } from './console/new-application.ts';
import { showConnect } from './console/next-steps.ts';
import { showDeveloperApplication } from './console/registered-application.ts';
import { showDeveloperApplications } from './console/registered-applications.ts';
import { addSecret, deleteSecret, showNewSecret } from './console/secrets.ts';
import { changeSecurity, showSecurity } from './console/security.ts';
import { securityFields } from './console/security-form.ts';
import { showTokenHistory } from './console/token-history.ts';
import {
  changeOwnDocument,
  deleteOwnDocument,
  makeDocument,
  showDocument,
  showDocumentForm,
  showDocuments,
} from './documents/documents.ts';
import { changeRegistration, deleteRegistration, showRegistration } from './self/configuration.ts';
import { register } from './self/register.ts';

export function addSelfRegistration({ deps, jsonRoute }: Addresses): void {
  if (deps.config.registration_endpoint === 'off') return;
  jsonRoute('/register', { post: [body, register(deps)] });
  jsonRoute('/register/:client_id', {
    get: [showRegistration(deps)],
    put: [body, changeRegistration(deps)],
    delete: [deleteRegistration(deps)],
  });
}

/** Documents for local development, where clients may have documents at all. */
export function addDocuments({ pageDeps: deps, deps: { config }, publicDocument, formRoute }: Addresses): void {
  if (!config.client_id_documents) return;
  const fields = /^(name|redirect_uris|scope)$/;
  formRoute(ownDocuments, showDocuments(deps), keeping(fields, makeDocument(deps)));
  publicDocument(`${ownDocuments}/:id`, showDocument(deps));
  formRoute(`${ownDocuments}/:id/change`, showDocumentForm(deps), keeping(fields, changeOwnDocument(deps)));
  formRoute(`${ownDocuments}/:id/change/delete`, toParent(deps), deleteOwnDocument(deps));
}

export function addConsole({ pageDeps: deps, pageRoute, formRoute }: Addresses): void {
  const application = '/developer/applications/:client_id';
  pageRoute('/developer/applications', showDeveloperApplications(deps));
  const fields =
    /^(name|site_domain|(homepage|logo|policy|tos)_uri|redirect_uris|preset|confidential|refreshes|(use|reason):.+)$/;
  formRoute('/developer/applications/new', showNewApplication(deps), keeping(fields, registerNewApplication(deps)));
  formRoute(application, showDeveloperApplication(deps, 'overview'), keeping(fields, changeApplication(deps)));
  for (const part of ['credentials', 'registration', 'activity'] as const) {
    pageRoute(`${application}/${part}`, showDeveloperApplication(deps, part));
  }
  pageRoute(`${application}/connect`, showConnect(deps));
  pageRoute(`${application}/connect/:library`, showConnect(deps));
  formRoute(`${application}/security`, showSecurity(deps), keeping(securityFields, changeSecurity(deps)));
  formRoute(`${application}/secrets`, toParent(deps), addSecret(deps));
  pageRoute(`${application}/secrets/new`, notForHead, showNewSecret(deps));
  formRoute(`${application}/secrets/delete`, toParent(deps), deleteSecret(deps));
  formRoute(`${application}/disable`, toParent(deps), disable(deps));
  formRoute(`${application}/enable`, toParent(deps), enable(deps));
  formRoute(`${application}/vouch`, toParent(deps), vouch(deps));
  formRoute(`${application}/delete`, toParent(deps), deleteApplication(deps));
  formRoute(`${application}/token`, toParent(deps), showTokenHistory(deps));
}
