import type { RequestHandler } from 'express';
import { authenticateClient } from '../../clients/client.ts';
import { presentedCredentials, verifyCredentials } from '../../clients/client-authentication.ts';
import { updateBeforePush } from '../../clients/client-document.ts';
import { byCurrentClient } from '../../clients/current-client.ts';
import { readDpopProof } from '../../clients/dpop-proof.ts';
import { openRequestObject } from '../../clients/request-object.ts';
import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { answerJson } from '../../web/answers.ts';
import { clientAddress, traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { isUsed, readAuthorizationRequest } from './authorization-request.ts';
import { limitStrangers, pushRequest } from './pushed-request.ts';
import { readLoginHint } from './sign-in-parameters.ts';

/**
 * Pushed authorization requests [9126]: the client authenticates and sends the request itself, by its parameters or signed as
 * one JWT. It is validated at once.
 */
export const pushAuthorizationRequest =
  (deps: Deps): RequestHandler =>
  (req, res) =>
    byCurrentClient(deps, req, async () => {
      const parameters = bodyParameters(req);
      const trace = traceOf(req, res);
      const presented = presentedCredentials(deps, req, parameters);
      const address = clientAddress(req);
      await updateBeforePush(deps, presented.client_id, address);
      const credentials = await verifyCredentials(deps, req, { ...presented, request: parameters['request'] }, trace);
      const client = await authenticateClient(deps, credentials, trace);
      if (parameters['request_uri'] !== undefined) {
        throw new OAuthError('invalid_request', 'request_uri must not be pushed');
      }
      const object = await openRequestObject(deps, client, parameters);
      // what is beside an object does not count [9101 §6.3]
      const request = object?.parameters ?? parameters;
      const shown = await readDpopProof(deps, req);
      const key = keyOfCode(request, shown?.thumbprint);
      const sent = { parameters: { ...request, ...key, client_id: client.client_id }, pushedBy: client };
      await readAuthorizationRequest(deps, sent, { dialect: 'rfc', user_id: undefined, address });
      await limitStrangers(deps, client, trace);
      const pushed = { parameters: usedParameters(sent.parameters), object };
      return async () => answerJson(res, 201, await pushRequest(deps, { ...credentials, ...shown }, pushed, trace));
    });

/** A proof binds the code to its key as the parameter dpop_jkt does [9449 §10.1]. */
function keyOfCode({ dpop_jkt }: Parameters, thumbprint: string | undefined): Parameters {
  if (thumbprint === undefined) return {};
  if (dpop_jkt === undefined || dpop_jkt === thumbprint) return { dpop_jkt: thumbprint };
  throw new OAuthError('invalid_dpop_proof', 'dpop_jkt is not the thumbprint of the key of the DPoP proof');
}

/** The parameters of a request that was read and accepted which this server will read again; nothing else is worth keeping. */
function usedParameters(parameters: Parameters): Parameters {
  const isKept = ([name, value]: [string, unknown]) =>
    isUsed(name) && (name !== 'login_hint' || readLoginHint(value) !== undefined);
  return Object.fromEntries(Object.entries(parameters).filter(isKept));
}
