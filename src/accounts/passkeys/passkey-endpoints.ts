import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerCacheableJson } from '../../web/answers.ts';

/** Tells password managers where people add and manage their passkeys [A Well-Known URL for Relying Party Passkey Endpoints]. */
export const showPasskeyEndpoints = ({ config: { issuer } }: Deps): RequestHandler => {
  const endpoints = { enroll: `${issuer}/account/passkeys/new`, manage: `${issuer}/account/security#passkeys` };
  return (_req, res) => answerCacheableJson(res, endpoints, 3600);
};
