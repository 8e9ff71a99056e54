export interface NarrowedScopes {
  scopes: string[];
  /** null when they cover all of the scopes, which is nearly always, and need not travel then */
  granted_scopes: string[] | null;
}

/** What a token was issued for, less what the person has taken back since: cut here, where it costs a tenth of a subselect. */
export function withGrantedScopes<Row extends NarrowedScopes>(row: Row): Row {
  const { scopes, granted_scopes } = row;
  if (granted_scopes) row.scopes = scopes.filter((scope) => granted_scopes.includes(scope));
  return row;
}
