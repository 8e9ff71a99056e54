import type { RequestHandler } from 'express';

const header = 'x-fapi-interaction-id';

/** The form of the id: clients make a UUID; anything else in this header is not repeated. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id under which the logs of a client have a request to a resource, for every kind of answer. */
export const returnInteractionId: RequestHandler = (req, res, next) => {
  const id = req.headers[header];
  if (typeof id === 'string' && uuid.test(id)) res.setHeader(header, id);
  next();
};
