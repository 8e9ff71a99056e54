/**
 * A package of this folder or, as the option of a test, why it cannot run here; in CI never, so that the test fails there instead.
 * It has no types, because whoever checks the types need not have installed it.
 */
export async function load(name: string) {
  try {
    return { skip: false, library: await import(name) };
  } catch (error) {
    if (process.env['CI']) throw error;
    return { skip: `${name} cannot be loaded (npm ci --prefix test/libraries installs it)`, library: undefined };
  }
}
