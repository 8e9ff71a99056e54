import type { RequestHandler } from 'express';
import { bodyOf, maxBody } from '../web/body.ts';
import { signedInUser } from './session.ts';

const maxBoxes = 2000;
const [short, long] = [bodyOf(maxBody, maxBoxes), bodyOf(4 * maxBody, maxBoxes)];

/** Of a form with a box for each permission: an application can have hundreds of them. From strangers nothing longer is read than elsewhere. */
export const bodyWithBoxes: RequestHandler = (req, res, next) =>
  (signedInUser(req) === undefined ? short : long)(req, res, next);
