import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A package of CommonJS, or a module of Node, that no start loads. By `require`, because `import()` would remember a failed load, such as
 * without a free descriptor, until the process ends.
 */
export function atFirstUse<Module>(name: string): () => Module {
  return () => require(name) as Module;
}
