import { existsSync, readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);
/** A file that the build writes next to what it compiles, if it knows the commit: dist/commit. */
const commitFile = new URL('../commit', import.meta.url);

/** Returns `1.0.0`, or `1.0.0 (commit 1ec37f3)` if the build knows its commit. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const commit = existsSync(commitFile) ? readFileSync(commitFile, 'utf8').trim() : '';
  return commit === '' ? version : `${version} (commit ${commit})`;
}
