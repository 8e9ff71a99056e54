export type Severity = 'error' | 'warning' | 'note';

/** Something that an operator should know or change. No member contains a secret. */
export interface Finding {
  /** a name that stays the same in later versions, for scripts */
  readonly check: string;
  readonly severity: Severity;
  /** one sentence, without a full stop */
  readonly what: string;
  /** which value is meant */
  readonly value: string;
  /** the setting, statement or command that mends it */
  readonly change: string;
}

type Details = Omit<Finding, 'check' | 'severity'>;

/** Findings of one name, each with its severity. */
export const finding = (severity: Severity, check: string, details: Details): Finding => ({
  check,
  severity,
  ...details,
});

const order: readonly Severity[] = ['error', 'warning', 'note'];

export function bySeverity(findings: readonly Finding[]): Finding[] {
  return order.flatMap((severity) => findings.filter((one) => one.severity === severity));
}
