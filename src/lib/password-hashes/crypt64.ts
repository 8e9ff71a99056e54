/** The digits of phpass and sha2-crypt, from 0 to 63. */
export const crypt64Digits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Three bytes as four digits, the lowest six bits first; fewer bytes as fewer digits. */
export function crypt64(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.slice(at, at + 3);
    let value = group.reduce((sum, byte, place) => sum + byte * 256 ** place, 0);
    for (let digit = 0; digit <= group.length; digit += 1) {
      text += crypt64Digits[value % 64];
      value = Math.floor(value / 64);
    }
  }
  return text;
}
