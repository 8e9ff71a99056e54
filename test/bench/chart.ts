import { contestants, latchkey } from './contestants.ts';
import type { Report } from './report.ts';
import { kinds } from './seeds/seed.ts';

const width = 760;
const labels = 290;
const rowHeight = 22;
const groupGap = 40;
/** room for the figure behind the longest bar */
const scaleWidth = width - labels - 80;

/** Follows the reader's light or dark; the colours keep their contrast in both. */
const style = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
  .ground { fill: #ffffff; }
  .title { font-size: 15px; font-weight: 600; }
  .kind { font-weight: 600; }
  .ours { font-weight: 700; }
  .note { fill: #59636e; font-size: 12px; }
  .server { fill: #8c959f; }
  .postgres { fill: #d1d9e0; }
  .ours.server { fill: #0969da; }
  .ours.postgres { fill: #80b7f5; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .server { fill: #7d8590; }
    .postgres { fill: #3d444d; }
    .ours.server { fill: #4493f8; }
    .ours.postgres { fill: #1f4f8f; }
  }`;

/** Bars of CPU per request, one group per kind, each bar in two parts. */
export function drawChart({ results, machine, date }: Report): string {
  const measured = contestants.filter(({ name }) => results[name]);
  const most = Math.max(...measured.flatMap(({ name }) => kinds.map((kind) => results[name]?.[kind].cpu ?? 0)));
  const scale = scaleWidth / most;
  const lines: string[] = [];
  let y = 56;
  for (const kind of kinds) {
    lines.push(text(16, y, 'kind', kind));
    y += 10;
    for (const { name, title } of measured) {
      const of = results[name]?.[kind];
      if (of) lines.push(...bar(y, title, of, scale, name === latchkey.name ? 'ours' : ''));
      y += rowHeight;
    }
    y += groupGap - 10;
  }
  const note = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.postgres}, durable commits, ${date}`;
  const height = y + 4;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="CPU per request, Latchkey and its peers">
<style>${style}
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
${text(16, 24, 'title', 'CPU per request in microseconds: server, then Postgres. Less is better.')}
${lines.join('\n')}
${text(16, height - 12, 'note', note)}
</svg>
`;
}

function bar(
  y: number,
  title: string,
  of: { cpu: number; server_cpu: number; postgres_cpu: number },
  scale: number,
  ours: string,
): string[] {
  const [server, postgres] = [of.server_cpu * scale, of.postgres_cpu * scale];
  const rect = (x: number, length: number, name: string) =>
    `<rect class="${`${ours} ${name}`.trim()}" x="${x.toFixed(1)}" y="${y + 3}" width="${Math.max(0, length).toFixed(1)}" height="${rowHeight - 6}"/>`;
  return [
    text(28, y + 16, ours, title.replace(/ \(.*floor\)/, ' (floor)')),
    rect(labels, server, 'server'),
    rect(labels + server, postgres, 'postgres'),
    text(labels + server + postgres + 6, y + 16, ours, String(Math.round(of.cpu))),
  ];
}

function text(x: number, y: number, name: string, content: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}"${name ? ` class="${name}"` : ''}>${escaped}</text>`;
}
