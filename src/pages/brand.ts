import { createHash } from 'node:crypto';
import { type Rgb, readColor } from '../config.ts';

/** The operator's name, mark and colour. `config.brand` has this shape. */
export interface Brand {
  name: string;
  logo_uri?: string | undefined;
  color?: string | undefined;
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The backgrounds of latchkey.css, light and dark, on which the accent has to be readable. */
const papers = { light: [255, 255, 255] as Rgb, dark: [32, 36, 38] as Rgb };
/** Body text against its background, level AA [WCAG 2.2 §1.4.3]. */
const readable = 4.5;

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of two colours, 1 to 21 [WCAG 2.2, relative luminance]. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const write = (color: Rgb) => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const [r = 0, g = 0, b = 0] = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share));
  return [r, g, b];
};

/** The nearest shade of the colour that can be read on this paper: a pale brand keeps its hue and loses its paleness. */
function shadeFor(color: Rgb, paper: keyof typeof papers): Rgb {
  const towards = paper === 'light' ? black : white;
  const steps = Array.from({ length: 51 }, (_, step) => mix(color, towards, step / 50));
  return steps.find((shade) => contrast(shade, papers[paper]) >= readable) ?? towards;
}

/** White or black, whichever is read more easily; one of them always reaches 4.5 : 1. */
const textOn = (fill: Rgb): Rgb => (contrast(fill, white) >= contrast(fill, black) ? white : black);

/** `fill` is the colour itself, for the one main button; `accent` is its shade for text, lines and ticked boxes. */
function accents(color: Rgb, paper: keyof typeof papers): string {
  const shade = shadeFor(color, paper);
  const pairs = { accent: shade, 'on-accent': textOn(shade), fill: color, 'on-fill': textOn(color) };
  return Object.entries(pairs)
    .map(([name, value]) => `--${name}:${write(value)}`)
    .join(';');
}

/** `/brand.css`: four properties for light, four for dark. A style sheet, because the pages allow no inline style. */
export function brandSheet(brand: Brand): string {
  const color = readColor(brand.color ?? '');
  if (color === undefined) return '';
  return `:root{${accents(color, 'light')}}@media(prefers-color-scheme:dark){:root{${accents(color, 'dark')}}}\n`;
}

/** For the log at start: a colour that cannot be read on a page is shown in another shade there. */
export function contrastWarning({ color: text }: Brand): string | undefined {
  const color = readColor(text ?? '');
  if (color === undefined) return undefined;
  const unreadable = (['light', 'dark'] as const).filter((paper) => contrast(color, papers[paper]) < readable);
  const shades = unreadable.map((paper) => `${write(shadeFor(color, paper))} on ${paper} pages`);
  if (shades.length === 0) return undefined;
  return `BRAND_COLOR ${text} has less contrast than ${readable}:1; links and lines are shown as ${shades.join(' and ')}`;
}

/** Short enough for a query string, long enough to change with the content: such files may be cached for ever. */
export const versionOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 10);
