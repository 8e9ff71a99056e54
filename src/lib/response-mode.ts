/**
 * How an authorization response reaches the client: in the query of a redirect, or as a form [Form Post Response Mode §2]; its
 * parameters one by one, or together as a signed JWT [JARM §2.3].
 */
export type ResponseMode = 'query' | 'form_post' | 'query.jwt' | 'form_post.jwt';

/** What a request may ask for; `jwt` is the signed form of the default. */
const modes: ReadonlyMap<unknown, ResponseMode> = new Map([
  ['query', 'query'],
  ['form_post', 'form_post'],
  ['jwt', 'query.jwt'],
  ['query.jwt', 'query.jwt'],
  ['form_post.jwt', 'form_post.jwt'],
]);

export const responseModes = [...modes.keys()] as string[];

/**
 * The mode in which a request is answered. A form is not possible to an app, which a browser opens without the fields, nor
 * with a line break in the state, which a browser would change to CR LF.
 */
export function responseModeFor(
  requested: unknown,
  { redirect_uri, state }: { redirect_uri: string; state: string | undefined },
): ResponseMode {
  const mode = modes.get(requested) ?? 'query';
  const isApp = !/^https?:/.test(redirect_uri);
  if (mode === 'form_post' && (isApp || /[\r\n]/.test(state ?? ''))) return 'query';
  return mode === 'form_post.jwt' && isApp ? 'query.jwt' : mode;
}

/** Says why a request is not answered in the mode that it asks for; undefined if it is. */
export function responseModeProblem(requested: string, answered: ResponseMode): string | undefined {
  const mode = modes.get(requested);
  if (mode === undefined) return `response_mode must be one of ${responseModes.join(', ')}`;
  if (mode === answered) return undefined;
  const more = mode === 'form_post' ? ', and a state without line breaks' : '';
  return `response_mode ${mode} needs a redirect_uri of http or https${more}`;
}
