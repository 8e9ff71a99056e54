import { accountFixtures } from './fixtures-account.ts';
import { adminFixtures } from './fixtures-admin.ts';
import { adminApplicationFixtures } from './fixtures-admin-applications.ts';
import { adminRegistrationFixtures } from './fixtures-admin-registrations.ts';
import { developerFixtures } from './fixtures-developer.ts';
import { type Fixture, flowFixtures } from './fixtures-flow.ts';
import { mailFixtures } from './fixtures-mail.ts';
import { passkeyFixtures } from './fixtures-passkeys.ts';
import { playgroundFixtures } from './fixtures-playground.ts';
import { boundPlaygroundFixtures } from './fixtures-playground-bound.ts';
import { portalFixtures } from './fixtures-portal.ts';

export const fixtures: Fixture[] = [
  ...flowFixtures,
  ...accountFixtures,
  ...passkeyFixtures,
  ...mailFixtures,
  ...developerFixtures,
  ...portalFixtures,
  ...adminFixtures,
  ...adminApplicationFixtures,
  ...adminRegistrationFixtures,
  ...playgroundFixtures,
  ...boundPlaygroundFixtures,
];
