import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { scrapeUntil } from '../support/metrics.ts';
import { writeFile } from '../support/scratch.ts';

// the counters of what only a whole process does
await import('../../src/operations/monitoring/span-exporter.ts');
await import('../../src/operations/sweeping.ts');

const folder = new URL('../../src/operations/monitoring/', import.meta.url);
const rulesFile = fileURLToPath(new URL('alerts.yml', folder));
const rules = readFileSync(rulesFile, 'utf8');
const dashboard: Dashboard = JSON.parse(readFileSync(new URL('dashboard.json', folder), 'utf8'));

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[];
  templating: { list: { name: string; query: string | { query: string } }[] };
}

const alerts = [...rules.matchAll(/- alert: (\w+)\n {8}expr: (.+)\n/g)].map(([, name = '', expr = '']) => ({
  name,
  expr,
}));
const panelQueries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => ({ name: title, expr, legendFormat })),
);

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);
const { body } = await redeem(origin, await obtainCode(browser));
await refresh(origin, body['refresh_token']);
await getUser(origin, 'lk_at_unknown');
await database.query('select keep_audit_partitions(400)');
const token = 'latchkey_http_requests_total{route="/token",method="POST",status="200"}';
const refused = 'latchkey_http_requests_total{route="/user",method="GET",status="401"}';
const found = await scrapeUntil(
  `${origin}/metrics`,
  (one) => one.value(token) >= 2 && one.value(refused) >= 1 && one.value('latchkey_database_up') === 1,
);

/** Added by Prometheus itself. */
const ofPrometheus = new Set(['job', 'instance']);

/** What a query selects: names of series, each with its matchers. */
function selectors(expr: string): { name: string; matchers: [label: string, operator: string, value: string][] }[] {
  const named = [...expr.matchAll(/\b((?:latchkey|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g)];
  return named.map(([, name = '', inside = '']) => ({
    name,
    matchers: [...inside.matchAll(/([a-z]+)(=~|!=|=)"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => [
      label,
      operator,
      value,
    ]),
  }));
}

for (const [file, queries] of [
  ['alerts.yml', alerts],
  ['dashboard.json', panelQueries],
] as const) {
  test(`every query of ${file} selects metrics and labels that the server has`, () => {
    assert.ok(queries.length > 10);
    const labels = found.labels();
    const lines = found.text.split('\n');
    for (const { name: title, expr } of queries) {
      const selected = selectors(expr);
      assert.ok(selected.length > 0 || expr.startsWith('up{'), title);
      const known = new Set(selected.flatMap(({ name }) => [...(labels.get(name) ?? [])]));
      for (const { name, matchers } of selected) {
        assert.ok(labels.has(name), `${title}: ${name}`);
        for (const [label, operator, value] of matchers.filter(([one]) => !ofPrometheus.has(one))) {
          assert.ok(labels.get(name)?.has(label), `${title}: ${name} has no ${label}`);
          const values = operator === '=' || value.includes('|') ? value.split('|') : [];
          for (const one of values) {
            const isServed = lines.some((line) => line.startsWith(`${name}{`) && line.includes(`${label}="${one}"`));
            assert.ok(isServed, `${title}: no ${name} with ${label} ${one}`);
          }
        }
      }
      for (const [, list = ''] of expr.matchAll(/by \(([^)]*)\)/g)) {
        for (const label of list.split(', '))
          assert.ok(ofPrometheus.has(label) || known.has(label), `${title}: ${label}`);
      }
    }
  });
}

test('a legend names labels that its query keeps, and every panel has a place and an id of its own', () => {
  const named = panelQueries.flatMap(({ name, expr, legendFormat }) =>
    [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => ({ name, expr, label })),
  );
  assert.ok(named.length > 10, `${named.length}`);
  for (const { name, expr, label } of named) {
    const [, kept = ''] = /by \(([^)]*)\)/.exec(expr) ?? [];
    assert.ok(kept.split(', ').includes(label) || (kept === '' && label === 'instance'), `${name}: ${label}`);
  }
  const { panels, templating } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const instances = templating.list.find(({ name }) => name === 'instance')?.query;
  assert.deepEqual(instances, { query: 'label_values(latchkey_processes, instance)', refId: 'instances' });
  assert.ok(found.types.has('latchkey_processes'));
});

const promtool = process.env['PROMTOOL'] ?? 'promtool';
const isInstalled = spawnSync(promtool, ['--version']).status === 0;
/** In CI it must be there. */
const skip = isInstalled || process.env['CI'] ? false : 'promtool is not installed (PROMTOOL)';

function runPromtool(args: string[], input = ''): void {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8', input });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}

test('promtool accepts the output, the alerts, and every query of the dashboard', { skip }, () => {
  runPromtool(['check', 'metrics'], found.text);
  runPromtool(['check', 'rules', rulesFile]);
  const queries = panelQueries.map(({ expr }, index) => {
    const text = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
    return { record: `panel:query:${index}`, expr: text };
  });
  const file = writeFile('dashboard.yml', JSON.stringify({ groups: [{ name: 'dashboard', rules: queries }] }));
  runPromtool(['check', 'rules', file]);
});

/** Each alert with a series: values by the minute with which the alert fires after four hours, and values with which all is well. */
const situations: Record<string, { series: string; wrong: string; right: string }> = {
  LatchkeyDown: { series: 'up{job="latchkey"}', wrong: '0x240', right: '1x240' },
  LatchkeyDatabaseAway: { series: 'latchkey_database_up', wrong: '0x240', right: '1x240' },
  LatchkeyServerErrors: {
    series: 'latchkey_http_requests_total{route="/token",status="503"}',
    wrong: '0+10x240',
    right: '0x240',
  },
  LatchkeyTokenEndpointSlow: {
    series: 'latchkey_http_request_duration_seconds_bucket{route="/token",le="2.5"}',
    wrong: '0+100x240',
    right: '0x240',
  },
  LatchkeyTokenInTwoHands: {
    series: 'latchkey_events_total{event="refresh_token_reused"}',
    wrong: '0+1x240',
    right: '5x240',
  },
  LatchkeyPasswordGuessing: {
    series: 'latchkey_password_checks_total{outcome="limited"}',
    wrong: '0+300x240',
    right: '0+6x240',
  },
  LatchkeyPasswordsQueue: { series: 'latchkey_hashing_queue_length', wrong: '3x240', right: '0x240' },
  LatchkeyDatabaseConnectionsUsedUp: {
    series: 'latchkey_database_waiting_statements',
    wrong: '2x240',
    right: '0x240',
  },
  LatchkeyEventLoopBlocked: {
    series: 'latchkey_event_loop_delay_seconds{percentile="99"}',
    wrong: '0.3x240',
    right: '0.01x240',
  },
  LatchkeySweepBehind: {
    series: 'latchkey_oldest_expired_token_seconds',
    wrong: '180000+60x240',
    right: '90000x240',
  },
  LatchkeyMailsWaiting: { series: 'latchkey_oldest_mail_seconds', wrong: '1000+60x240', right: '30x240' },
  LatchkeyAuditPartitionsMissing: {
    series: 'latchkey_audit_partitions_end_seconds',
    wrong: '2000000x240',
    right: '8000000x240',
  },
  LatchkeyAuditRetentionStuck: {
    series: 'latchkey_audit_overdue_seconds',
    wrong: '180000+60x240',
    right: '90000x240',
  },
  LatchkeyClockDistrusted: {
    series: 'latchkey_sweeps_total{outcome="refused"}',
    wrong: '0+1x240',
    right: '2x240',
  },
  LatchkeyCertificateNotReloaded: {
    series: 'latchkey_certificate_reloads_total{outcome="failed"}',
    wrong: '0+1x240',
    right: '0x240',
  },
  LatchkeySpansLost: { series: 'latchkey_spans_total{outcome="failed"}', wrong: '0+100x240', right: '0x240' },
};

/** In order all the time: what fractions are of. */
const usual = [
  { series: 'latchkey_http_requests_total{route="/user",status="200"}', values: '0+100x240' },
  { series: 'latchkey_http_request_duration_seconds_bucket{route="/token",le="+Inf"}', values: '0+100x240' },
  { series: 'latchkey_http_request_duration_seconds_bucket{route="/token",le="0.005"}', values: '0+1x240' },
];

test('each alert fires when it should, after four hours at the latest, and not when all is well', { skip }, () => {
  assert.deepEqual(
    Object.keys(situations),
    alerts.map(({ name }) => name),
  );
  const tests = Object.entries(situations).map(([alert, { series, wrong }]) => ({
    interval: '2m',
    input_series: [{ series, values: wrong }, ...usual.filter((one) => one.series !== series)],
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: '4h',
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  }));
  const right = Object.values(situations).map(({ series, right: values }) => ({ series, values }));
  const quick = {
    series: 'latchkey_http_request_duration_seconds_bucket{route="/token",le="0.005"}',
    values: '0+100x240',
  };
  const input_series = [...right, ...usual.slice(0, 2), quick];
  const quiet = {
    interval: '2m',
    input_series,
    promql_expr_test: [{ expr: 'ALERTS', eval_time: '4h', exp_samples: [] }],
  };
  const file = writeFile(
    'alerts-test.yml',
    JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '2m', tests: [...tests, quiet] }),
  );
  runPromtool(['test', 'rules', file]);
});
