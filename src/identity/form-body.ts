import type { RequestHandler } from 'express';
import { bodyOf, maxBody } from '../web/body.ts';
import { signedInUser } from './session.ts';

const maxBoxes = 2000;
const [short, long] = [bodyOf(maxBody, maxBoxes), bodyOf(4 * maxBody, maxBoxes)];

/**
 * Reads the form with a box for each permission: an application can have hundreds of permissions. A stranger's body may not be
 * longer than elsewhere.
 */
export const bodyWithBoxes: RequestHandler = (req, res, next) =>
  (signedInUser(req) === undefined ? short : long)(req, res, next);
