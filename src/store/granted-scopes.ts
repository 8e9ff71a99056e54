export interface IssuedAndGranted {
  /** what was issued */
  scopes: string[];
  /** what the person allows today */
  granted_scopes: string[];
}

/** What a token was issued for, less what the person has taken back since: cut here, where it costs a tenth of a subselect. */
export function withGrantedScopes<Row extends IssuedAndGranted>(row: Row): Row {
  row.scopes = row.scopes.filter((scope) => row.granted_scopes.includes(scope));
  return row;
}
