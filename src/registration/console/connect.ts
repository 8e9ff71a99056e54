import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { noticeOf } from '../../identity/person.ts';
import { OAuthError } from '../../lib/errors.ts';
import { renderView } from '../../web/render.ts';
import { shownClient } from '../../web/shown-client.ts';
import { libraries } from '../programs/libraries.ts';
import { nextSteps } from './next-steps.ts';
import { consolePath } from './path.ts';
import { forApplication } from './registered-application.ts';

/**
 * Shows a program for the library in the path, with the registration of the application filled in; without a library, the program that
 * fits.
 */
export const showConnect = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const { req, application, viewer, csrf } = page;
    const id = req.params['library'];
    const library = libraries.find((one) => one.id === id);
    if (id !== undefined && !library) throw new OAuthError('not_found', 'there is no program for this library');
    renderView(page, 'developer-connect', {
      viewer,
      csrf,
      client: shownClient(application),
      application_href: deps.config.base + consolePath(application.client_id),
      next: await nextSteps(deps, application, library),
      notice: noticeOf(req, ['application_registered'] as const),
    });
  });
