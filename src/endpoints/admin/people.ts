import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { queryParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { renderView } from '../../pages/render.ts';
import { forAdministrator } from './administrator.ts';
import { navigationOf } from './parts.ts';

/** Finds people. */
export const showPeople = (deps: Deps): RequestHandler =>
  forAdministrator(deps, (page) => {
    const { req, viewer, csrf } = page;
    const { base } = deps.config;
    const typed = fieldOf(queryParameters(req), 'find').trim();
    renderView(page, 'admin-people', {
      viewer,
      csrf,
      parts: navigationOf(base, 'people'),
      action: `${base}/admin/people`,
      typed,
    });
  });
