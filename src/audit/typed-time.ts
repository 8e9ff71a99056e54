const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,3})?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A moment as operators type it: so long ago (90s, 15m, 24h, 7d), a day, or a time, in UTC unless another zone is written. What is typed
 * without seconds means the whole minute, a day the whole day: as an end, it includes all of that.
 */
export function typedTime(text: string, edge: 'begin' | 'end'): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * 1000 * (secondsOf[unit] ?? 0));
  const [, day, minute, second = '', fraction = '', zone = 'Z'] = written.exec(text) ?? [];
  if (day === undefined || (fraction !== '' && second === '')) return undefined;
  // Date takes 30 February for 2 March
  if (new Date(day).toJSON()?.startsWith(day) !== true) return undefined;
  const begin = new Date(minute === undefined ? day : `${day}T${minute}${second}${fraction}${zone}`);
  const length = minute === undefined ? 86_400_000 : second === '' ? 60_000 : fraction === '' ? 1000 : 1;
  const isReal = begin.getUTCFullYear() >= 1970 && begin.getUTCFullYear() <= 9999;
  return isReal ? new Date(begin.getTime() + (edge === 'end' ? length : 0)) : undefined;
}
