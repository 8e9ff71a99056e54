import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for the files that a process of the tests writes; removed when this process ends. */
export const scratch = mkdtempSync(join(tmpdir(), 'latchkey-process-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

export function writeFile(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}
