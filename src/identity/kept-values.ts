import type { KeptValue } from '../web/views/parts.ts';
import type { User } from './users.sql.ts';

/** The fields of a profile that nobody changes here, with who keeps them. */
export function keptValues({ source, kept_elsewhere, ...profile }: User): KeptValue[] {
  const by = source === 'website' || source === 'view' ? source : 'provider';
  return kept_elsewhere.map((name) => ({ name, value: profile[name] ?? '', by }));
}
