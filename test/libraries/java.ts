import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ClientProgram, startProgram } from './program.ts';

const folder = fileURLToPath(new URL('java', import.meta.url));

/** The reason to skip a test, or false; always false in CI, so that a missing Java fails there. */
export const skip =
  !process.env['CI'] &&
  !existsSync(`${folder}/target/lib`) &&
  'the Java libraries are not installed (test/libraries/install.sh java)';

/** A program of the folder `java/`, compiled as it starts, with a file of properties. It is ready when it returns. */
export async function startSpring(file: string, properties: string, env = {}): Promise<ClientProgram> {
  const settings = [`--spring.config.location=file:${properties}`, '--spring.main.banner-mode=off'];
  // it starts faster without the second compiler
  const options = ['-XX:TieredStopAtLevel=1', '-cp', 'target/lib/*'];
  const program = startProgram('java', [...options, file, ...settings], { cwd: folder, env });
  await program.said(/Started \w+ in/);
  return program;
}
