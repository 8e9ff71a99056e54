import type { ServerOptions } from 'node:http';
import type { Express } from 'express';
import { http } from '../lib/node-http.ts';
import { addressesIn } from './request-log.ts';

/** What the server of a port needs to know of an app. */
export function serviceOf(app: Express) {
  return { app, addressOf: addressesIn(app), classes: messageClasses(app) };
}

/**
 * The classes of the requests and answers of a server, for Node to make them with the prototypes of this app. Otherwise Express would
 * exchange the prototype of each, after which V8 gives every single one hidden classes of its own: up to 100 µs and 10 KB a request on Node 20 and 22.
 */
function messageClasses(app: Express): ServerOptions {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as ServerOptions;
}
