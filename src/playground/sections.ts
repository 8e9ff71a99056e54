import type { PlaygroundStep } from './playground.view.ts';

type Sections = readonly (readonly [rfc: number, section: string])[];

/** The RFC and section that specify each step. */
const sections: Record<PlaygroundStep, Sections> = {
  push_request: [
    [9126, '2.1'],
    [9449, '10'],
  ],
  authorization_by_reference: [
    [9126, '4'],
    [9101, '5'],
  ],
  authorization_request: [
    [6749, '4.1.1'],
    [7636, '4.3'],
  ],
  authorization_response: [
    [6749, '4.1.2'],
    [9207, '2'],
  ],
  refused_response: [
    [6749, '4.1.2.1'],
    [9207, '2'],
  ],
  token_request: [
    [6749, '4.1.3'],
    [6749, '5.1'],
    [7636, '4.5'],
  ],
  introspection_request: [
    [7662, '2'],
    [9449, '6.2'],
  ],
  resource_request: [[6750, '2.1']],
  nonce_demanded: [[9449, '8']],
  refresh_request: [
    [6749, '6'],
    [9700, '4.14.2'],
  ],
  narrowed_request: [
    [9396, '6'],
    [9396, '7'],
  ],
  change_request: [[6750, '3.1']],
  revocation_request: [[7009, '2.1']],
  reused_code: [
    [6749, '4.1.2'],
    [6749, '10.5'],
  ],
  wrong_verifier: [[7636, '4.6']],
  spent_code: [
    [7636, '4.6'],
    [6749, '10.5'],
  ],
  foreign_redirect_uri: [
    [6749, '3.1.2.4'],
    [9700, '4.1'],
  ],
  expired_token: [[6750, '3.1']],
  revoked_token: [
    [6750, '3.1'],
    [7009, '2'],
  ],
  refresh_replay: [
    [6749, '10.4'],
    [9700, '4.14.2'],
  ],
  wrong_secret: [[6749, '5.2']],
  tampered_token: [
    [6750, '3.1'],
    [6749, '10.10'],
  ],
  token_twice: [
    [6750, '2'],
    [6750, '3.1'],
  ],
  stolen_accepted: [
    [6750, '5.1'],
    [9700, '4.10'],
  ],
  stolen_bearer: [[9449, '7.1']],
  stolen_replayed: [[9449, '11.1']],
  stolen_other_key: [
    [9449, '4.3'],
    [9449, '7.1'],
  ],
};

/** The sections of those steps that differ if the client proves a key. */
const provenSections: Partial<Record<PlaygroundStep, Sections>> = {
  token_request: [
    [6749, '4.1.3'],
    [7636, '4.5'],
    [9449, '5'],
  ],
  refresh_request: [
    [6749, '6'],
    [9449, '5'],
  ],
  resource_request: [[9449, '7.1']],
};

export function sectionsOf(step: PlaygroundStep, isProven: boolean): { label: string; href: string }[] {
  const those = (isProven && provenSections[step]) || sections[step];
  return those.map(([rfc, section]) => ({
    label: `RFC ${rfc} §${section}`,
    href: `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`,
  }));
}
