/** Bounds in seconds. A document that changes is noticed after a day; however often it is used, it is fetched once in a minute. */
const [shortest, longest, withoutHeaders] = [60, 86_400, 3600];

type CacheHeaders = Partial<Record<'cache-control' | 'age' | 'expires' | 'date' | 'vary', string | undefined>>;

/** Returns the seconds for which a fetched document is used without asking for it again, by its headers and within bounds [9111 §4.2]. */
export function freshFor({ 'cache-control': control = '', age, expires, date, vary }: CacheHeaders): number {
  if (vary === '*' || /\b(no-store|no-cache)\b/i.test(control)) return shortest;
  const maxAges = [...control.matchAll(/(?:^|[\s,])max-age=(-?\d+)/gi)].map(([, seconds]) => Number(seconds));
  const now = date === undefined ? Date.now() : Date.parse(date);
  const untilExpiry = expires === undefined ? withoutHeaders : (Date.parse(expires) - now) / 1000;
  // the more cautious of contradicting directives counts [9111 §4.2.1]
  const lifetime = maxAges.length > 0 ? Math.min(...maxAges) : untilExpiry;
  const left = Math.floor(lifetime - (Number(age) || 0));
  return Math.min(longest, Math.max(shortest, left || 0));
}
