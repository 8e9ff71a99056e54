import type { Config } from '../config.ts';
import type { Finding } from '../values/finding.ts';
import { pageFindings } from './doctor.ts';

/** Milliseconds for which an examination counts. */
const freshMs = 10_000;

/** One examination for all who ask at that time, so that nobody can let many of them wait for the database or for others. */
export function createExamination(config: Config, ...rest: Rest): () => Promise<Finding[]> {
  let last = { until: Number.NEGATIVE_INFINITY, findings: Promise.resolve<Finding[]>([]) };
  return () => {
    if (performance.now() > last.until) {
      const findings = pageFindings(config, ...rest);
      last = { until: performance.now() + freshMs, findings };
      findings.catch(() => {
        last.until = Number.NEGATIVE_INFINITY;
      });
    }
    return last.findings;
  };
}

type Rest = Parameters<typeof pageFindings> extends [Config, ...infer Others] ? Others : never;
