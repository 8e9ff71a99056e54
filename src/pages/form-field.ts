import type { Parameters } from '../protocol/parameters.ts';

/** What a person typed into a field; a field that is missing or came twice counts as empty. */
export function fieldOf(form: Parameters, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}
