import type { RequestHandler } from 'express';
import { body, bodyOf } from '../http/body.ts';
import { signedInUser } from './session.ts';

const longBody = bodyOf(64 * 1024);

/** Of a form with a box for each permission: an application can have hundreds of them. From strangers nothing longer is read than elsewhere. */
export const bodyWithBoxes: RequestHandler = (req, res, next) =>
  (signedInUser(req) === undefined ? body : longBody)(req, res, next);
