// ci: upgrades from the previous release
import { test } from 'node:test';
import { withoutPreviousRelease } from '../support/previous-release.ts';

if (withoutPreviousRelease) test('the previous release beside this one [F38]', { skip: withoutPreviousRelease });
else await import('./side-by-side.ts');
