import { domainToASCII } from 'node:url';

/**
 * The addresses to which mail goes: `local@domain` in ASCII, as everybody writes them. Not all that RFC 5322 permits: quotes, comments,
 * groups, lists and addresses in brackets are read differently by different programs, and a mail must go to nobody else.
 */
const grammar =
  /^(?=.{3,254}$)(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/i;

export const isMailAddress = (address: string): boolean => address.length <= 254 && grammar.test(address);

/**
 * Returns an address that a person has typed in the one form in which it is stored: a domain with other letters than ASCII in the form
 * that the name system has. Undefined if no mail can go there.
 */
export function readMailAddress(typed: string): string | undefined {
  // domainToASCII reads percent-encodings and stops at a slash
  const [, local = '', domain = ''] =
    /^([^@]{1,64})@([\p{L}\p{M}\p{N}.-]{1,253})$/u.exec(typed.slice(0, 512).trim()) ?? [];
  const address = `${local}@${domainToASCII(domain)}`;
  return isMailAddress(address) ? address : undefined;
}
