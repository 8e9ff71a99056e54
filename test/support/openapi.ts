import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Described {
  security?: Record<string, string[]>[];
  parameters?: { $ref?: string }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** The description that a server gives of itself. */
export interface Description {
  paths: Record<string, Record<string, Described>>;
  components: {
    securitySchemes: Record<string, { type: string; scheme?: string }>;
    parameters: Record<string, object>;
  };
}

export async function readDescription(origin: string): Promise<Description> {
  return (await fetch(`${origin}/openapi.json`)).json();
}

/** `post /token`, for every operation. */
export function operationsIn({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
}

/** What is in an answer and not in its schema is a lie, too: objects get no members beyond those that are described. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, strict(one)]));
  return members['type'] === 'object' && 'properties' in members
    ? { additionalProperties: false, ...members }
    : members;
}

/** Asks the server, and asserts that its answers are those of its description. */
export function describedServer(description: Description) {
  const ajv = new Ajv2020({ strict: false });
  (formats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(strict(description) as object, 'description');
  const escaped = (pointer: string[]) => pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
  const seen = new Set<string>();

  /** The answer to one operation, parsed if it is JSON. The path may be that of the operation with its parameters filled in. */
  async function ask(origin: string, operation: string, init: RequestInit = {}, path?: string) {
    const [method = '', template = ''] = operation.split(' ');
    const address = `${origin}${path ?? template}`;
    const response = await fetch(address, { ...init, method: method.toUpperCase(), redirect: 'manual' });
    const { status } = response;
    const text = await response.text();
    const described = description.paths[template]?.[method]?.responses[status];
    assert.ok(described, `${operation} answers ${status}, which is not described: ${text}`);
    const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
    assert.deepEqual(
      type === '' ? [] : [type],
      Object.keys(described.content ?? {}).filter((one) => one === type),
    );
    assert.equal(text === '', described.content === undefined, `${operation} ${status} has a body or not`);
    const answer = type === 'application/json' ? JSON.parse(text) : undefined;
    if (answer !== undefined) {
      const pointer = ['paths', template, method, 'responses', String(status), 'content', type, 'schema'];
      const validate = ajv.compile({ $ref: `description#/${escaped(pointer).map(encodeURIComponent).join('/')}` });
      assert.ok(validate(answer), `${operation} ${status}: ${ajv.errorsText(validate.errors)} in ${text}`);
    }
    seen.add(`${operation} ${status} ${answer?.error ?? 'success'}`);
    return { status, answer, text };
  }
  return { ask, seen };
}

/** Every answer that the description promises: operation, status and error code. */
export function promisedAnswers({ paths }: Description): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        codesOf(content).map((code) => `${method} ${path} ${status} ${code}`),
      ),
    ),
  );
}

function codesOf(content: Record<string, unknown> | undefined): string[] {
  const body = content?.['application/json'] as
    | { schema: { properties?: { error?: { enum?: string[] } } } }
    | undefined;
  return body?.schema.properties?.error?.enum ?? ['success'];
}
