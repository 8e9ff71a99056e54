import type { Finding } from '../lib/finding.ts';
import { pageFindings } from './doctor.ts';

/** Milliseconds for which an examination counts. */
const freshMs = 10_000;

/** One examination for all who ask at that time, so that nobody can let many of them wait for the database or for others. */
export function createExamination(...given: Parameters<typeof pageFindings>): () => Promise<Finding[]> {
  let last = { until: Number.NEGATIVE_INFINITY, findings: Promise.resolve<Finding[]>([]) };
  return () => {
    if (performance.now() > last.until) {
      const findings = pageFindings(...given);
      last = { until: performance.now() + freshMs, findings };
      findings.catch(() => {
        last.until = Number.NEGATIVE_INFINITY;
      });
    }
    return last.findings;
  };
}
