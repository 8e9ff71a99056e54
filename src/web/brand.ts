import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { type Rgb, readColor } from '../config/values.ts';
import type { Deps } from '../deps.ts';

/** The operator's name, logo and colour, from `config.brand`. */
export interface Brand {
  name: string;
  logo_uri?: string | undefined;
  color?: string | undefined;
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The page backgrounds of latchkey.css. */
const backgrounds = { light: [255, 255, 255] as Rgb, dark: [32, 36, 38] as Rgb };
type Theme = keyof typeof backgrounds;
/** The minimum contrast of text, level AA [WCAG 2.2 §1.4.3]. */
const minContrast = 4.5;

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two colours, 1 to 21 [WCAG 2.2, relative luminance]. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const toHex = (color: Rgb) => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const [r = 0, g = 0, b = 0] = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share));
  return [r, g, b];
};

/** Returns the shade of the colour that is nearest to it and has enough contrast on this background. */
function shadeFor(color: Rgb, theme: Theme): Rgb {
  const towards = theme === 'light' ? black : white;
  const steps = Array.from({ length: 51 }, (_, step) => mix(color, towards, step / 50));
  return steps.find((shade) => contrast(shade, backgrounds[theme]) >= minContrast) ?? towards;
}

/** Returns white or black, whichever has more contrast; one of the two always reaches the minimum. */
const textOn = (fill: Rgb): Rgb => (contrast(fill, white) >= contrast(fill, black) ? white : black);

/** `fill` is the colour itself, for the main button; `accent` is the readable shade, for text, lines and ticked boxes. */
function accents(color: Rgb, theme: Theme): string {
  const shade = shadeFor(color, theme);
  const pairs = { accent: shade, 'on-accent': textOn(shade), fill: color, 'on-fill': textOn(color) };
  return Object.entries(pairs)
    .map(([name, value]) => `--${name}:${toHex(value)}`)
    .join(';');
}

/** The content of `/brand.css`. A style sheet of its own, because the policy of the pages forbids inline styles. */
export function brandSheet(brand: Brand): string {
  const color = readColor(brand.color ?? '');
  if (color === undefined) return '';
  return `:root{${accents(color, 'light')}}@media(prefers-color-scheme:dark){:root{${accents(color, 'dark')}}}\n`;
}

/** A warning for the log at start, if pages show the colour in another shade because it has too little contrast. */
export function contrastWarning({ color: text }: Brand): string | undefined {
  const color = readColor(text ?? '');
  if (color === undefined) return undefined;
  const unreadable = (['light', 'dark'] as const).filter((theme) => contrast(color, backgrounds[theme]) < minContrast);
  const shades = unreadable.map((theme) => `${toHex(shadeFor(color, theme))} on ${theme} pages`);
  if (shades.length === 0) return undefined;
  return `BRAND_COLOR ${text} has less contrast than ${minContrast}:1; links and lines are shown as ${shades.join(' and ')}`;
}

/** The version in the URL of a file that browsers cache for ever: it changes with the content. */
export const versionOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 10);

/** Sends the operator's colour as a style sheet. */
export const showBrandSheet = ({ config }: Deps): RequestHandler => {
  const sheet = brandSheet(config.brand);
  return (_req, res) => {
    res.type('css').send(sheet);
  };
};
