import { printer } from '../support/latchkey.ts';
import { load } from './library.ts';

const { library: client } = await load('openid-client');

/** What belongs to one authorization request: its parameters, and what the exchange of its code needs. */
export async function prepare() {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const parameters = {
    redirect_uri: printer.redirect_uri,
    scope: 'user',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  return { parameters, checks: { pkceCodeVerifier, expectedState } };
}
