import { userInfo } from 'node:os';

/** Who runs this process, for the trail of events. Of the letters that every shell and log takes; one without an entry in the list of users has only a number. */
export function systemUser(): string {
  const own = (() => {
    try {
      return userInfo().username;
    } catch {
      return `uid ${process.getuid?.() ?? 'unknown'}`;
    }
  })();
  return own.replace(/[^\w.@ -]/g, '_').slice(0, 64);
}
