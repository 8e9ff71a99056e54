import type { Finding, Severity } from '../lib/finding.ts';
import type { AdminPage, AdminProblem } from './admin.view.ts';

/** States of a signing key; each has a text `admin.key.<name>`. */
export type KeyState = 'next' | 'current' | 'previous';

/** The charts, in their order; each has a text `admin.chart.<name>`. */
export type ChartName = 'sign_ins' | 'refused_sign_ins' | 'tokens' | 'refusals' | 'latency';

/** What a line of a chart shows, if that is not the same in every language; each has a text `admin.line.<name>`. */
export type LineName = 'signed_in' | 'sign_in_refused' | 'tokens_issued' | 'tokens_refreshed' | 'other_reasons';

export type ChartPeriod = 'hour' | 'day' | 'week' | 'month';

export interface ChartLine {
  /** a text; or what is the same in every language: the reason of a refusal in English, or a percentile */
  name: LineName | { plain: string };
  /** The sum of events, or the latest time; undefined where nothing was measured. */
  figure: number | undefined;
  /** points of SVG polylines, within 0 0 600 120: a polyline for each run of values without a gap */
  runs: string[];
  /** a value for each step; undefined where nothing was measured */
  values: (number | undefined)[];
}

/** A label of the time axis. */
export interface ChartTick {
  at: Date;
  /** from 0 to 600, as in ChartLine.runs */
  x: number;
}

export interface Chart {
  name: ChartName;
  /** whether the values are milliseconds; otherwise they are numbers of events in a step */
  is_time: boolean;
  /** the value at the upper edge */
  top: number;
  /** where nothing was measured, as in ChartLine.runs */
  gaps: { x: number; width: number }[];
  lines: ChartLine[];
}

declare module '../web/views/views.ts' {
  interface Views {
    'admin-health': AdminPage & {
      checked_at: Date;
      /** leads to the same page, which checks again */
      check_href: string;
      findings: Finding[];
      counts: Record<Severity, number>;
      instances: { host: string; pid: number; version: string; started_at: Date }[];
      migration: string;
      keys: { kid: string; state: KeyState; signs_from: Date }[];
      mails_waiting: number;
      /** since when the oldest mail waits */
      mails_since: Date | undefined;
    };
    'admin-charts': AdminPage & {
      periods: { period: ChartPeriod; href: string; is_current: boolean }[];
      charts: Chart[];
      /** when each step begins */
      steps: Date[];
      ticks: ChartTick[];
      /** If there is a problem, there are no charts. */
      problem?: AdminProblem;
    };
  }
}
