import type { Parameters } from '../lib/parameters.ts';

/** The value of a form field; empty if the field is missing or repeated. */
export function fieldOf(form: Parameters, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}
