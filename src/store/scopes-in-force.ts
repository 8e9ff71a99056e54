/**
 * What the scopes of a code or token are worth: less what the person has taken back since, and what the client is not
 * registered for any more. Most have lost nothing, and pay two comparisons; a subselect in place of the function would
 * have to be prepared for those, too.
 */
export const inForce = (scopes: string) => `case
       when ${scopes} <@ grants.scopes and ${scopes} <@ clients.scopes then ${scopes}
       else common_scopes(${scopes}, grants.scopes, clients.scopes) end`;
