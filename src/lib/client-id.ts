/** The table clients has the same rule: printable ASCII without spaces, narrower than VSCHAR of RFC 6749 App. A.1. */
export const clientIdMaxLength = 200;
const syntax = /^[\x21-\x7e]+$/;

/** Whether a client_id could be registered; if not, no statement has to look for it. */
export function isClientId(client_id: string): boolean {
  return client_id.length <= clientIdMaxLength && syntax.test(client_id);
}

/** Where this server keeps metadata documents for local development. */
export const ownDocuments = '/developer/documents';
