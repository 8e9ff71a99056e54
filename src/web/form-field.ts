import type { Parameters } from '../lib/parameters.ts';

/** Returns the value of a form field; empty if the field is missing or repeated. */
export function fieldOf(form: Parameters, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}
