/** Stands for this server among the resources of a request, code or token. It is no URI, so no resource has this name. */
export const thisServer = 'self';

/** An absolute URI without a fragment [8707 §2]; it is compared with registered ones, so this only tells a typo from an unknown URI. */
export const resourceSyntax = /^[a-z][a-z0-9+.-]*:[^#]+$/i;

export const resourceMaxLength = 2000;

export const maxResources = 10;

/** An origin is one resource with and without its final slash, which URL parsers write and people leave out; any other URI has one spelling. */
export function spellingsOf(resource: string): string[] {
  if (!/^https?:\/\/[^/?]+\/?$/.test(resource)) return [resource];
  return [resource, resource.endsWith('/') ? resource.slice(0, -1) : `${resource}/`];
}

/** What access tokens for a resource look like. */
export type TokenFormatName = 'opaque' | 'jwt';
