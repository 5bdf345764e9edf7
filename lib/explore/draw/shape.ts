/**
 * Part of a picture: an SVG element as data. Text in a shape is always escaped, so it is never interpreted as markup.
 */
export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

export function shape(
  tag: string,
  attributes: Shape['attributes'] = {},
  ...children: readonly (Shape | string)[]
): Shape {
  return { tag, attributes, children };
}

/** The root element of a picture. */
export function picture(width: number, height: number, title: string, ...children: readonly (Shape | string)[]): Shape {
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': title };
  return shape('svg', { xmlns: 'http://www.w3.org/2000/svg', ...attributes }, shape('title', {}, title), ...children);
}

/** Renders a picture as a standalone file, with colors for light and dark mode. */
export function svgFile(root: Shape): string {
  const styled = { ...root, children: [shape('style', {}, STYLE), ...root.children] };
  return `${written(styled, '')}\n`;
}

function written({ tag, attributes, children }: Shape, indent: string): string {
  const opening = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const start = `${indent}<${tag}${opening.join('')}`;
  if (children.length === 0) return `${start}/>`;
  // Line breaks and indentation inside text would be visible.
  if (tag === 'text' || tag === 'tspan' || tag === 'title' || tag === 'style')
    return `${start}>${inner(children)}</${tag}>`;
  const lines = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child, `${indent} `)));
  return [`${start}>`, ...lines, `${indent}</${tag}>`].join('\n');
}

function inner(children: Shape['children']): string {
  return children.map((child) => (typeof child === 'string' ? escaped(child) : written(child, ''))).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and HTML. Each character that XML does not allow becomes a box. */
export function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern replaces control characters
  const legal = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '□').toWellFormed();
  return legal.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string);
}

/** Truncates text to the given number of characters. */
export function fitted(text: string, room: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const characters = [...line];
  return characters.length <= room ? line : `${characters.slice(0, Math.max(1, room - 1)).join('')}…`;
}

/** The number of hues for entities. More hues would be hard to tell apart, so they repeat after that. */
export const COLOURS = 12;

export function colourClass(colour: number | undefined): string {
  return colour === undefined ? 'plain' : `e${colour % COLOURS}`;
}

/** The hues in degrees, ordered so that neighbors differ clearly. */
export const HUES: readonly number[] = [214, 24, 152, 280, 344, 96, 190, 48, 252, 316, 124, 4];

const STYLE = [
  'text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1d2530}',
  '.mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:11.5px}',
  '.soft{fill:#5a6675}.strong{font-weight:600}.heading{font-size:15px;font-weight:600}',
  '.paper{fill:#fff}.box{fill:#f6f7f9;stroke:#d5dae1}.rule{stroke:#e3e7ec}.part{font-weight:600}',
  '.write{stroke-width:2}.area{fill:none}',
  '.unreached{stroke:#b3261e;stroke-dasharray:3 3}.warn{fill:#b3261e}',
  ...HUES.map(
    (hue, i) =>
      `.box.e${i}{fill:hsl(${hue} 70% 95%);stroke:hsl(${hue} 45% 62%)}.dot.e${i}{fill:hsl(${hue} 55% 46%)}text.e${i}{fill:hsl(${hue} 60% 28%)}`,
  ),
  '@media(prefers-color-scheme:dark){text{fill:#e4e8ee}.soft{fill:#9ba7b6}.paper{fill:#12161c}.box{fill:#1b2129;stroke:#38424f}',
  '.rule{stroke:#2a323c}.warn{fill:#ff8a80}.unreached{stroke:#ff8a80}',
  ...HUES.map(
    (hue, i) =>
      `.box.e${i}{fill:hsl(${hue} 30% 17%);stroke:hsl(${hue} 35% 42%)}.dot.e${i}{fill:hsl(${hue} 55% 62%)}text.e${i}{fill:hsl(${hue} 70% 80%)}`,
  ),
  '}',
].join('');
