/** The one-byte characters that Azure accepts in a key, in the order of their codes. */
const LEGAL: readonly string[] = Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i)).filter(
  (character) => !'#/?\\'.includes(character),
);
/** Starts the code of every unit above `~`, so that these codes sort before all other codes. */
const HIGH = ' ';
/** Starts the codes of the last four characters (`{` to `~`), because no single characters are left for them. */
const LAST = '!';
/** Ends every mirror. Sorts after all characters that could continue the mirror. */
const END = LEGAL.at(-1) as string;

const SINGLE = LEGAL.filter((character) => character <= 'z');
const TOP = LEGAL.filter((character) => character > 'z');
const CODES: ReadonlyMap<string, string> = new Map([
  ...SINGLE.map((character, i) => [character, LEGAL[1 + SINGLE.length - i] as string] as const),
  ...TOP.map((character, i) => [character, `${LAST}${TOP.length - 1 - i}`] as const),
]);
const CHARACTERS: ReadonlyMap<string, string> = new Map(Array.from(CODES, ([character, code]) => [code, character]));

/**
 * Encodes a key as its mirror. Mirrors sort in the reverse order of their keys, and no two keys have the same mirror. A
 * mirror contains only characters that Azure accepts in a key.
 */
export function mirrored(text: string): string {
  return mirroredPrefix(text) + END;
}

/** Returns the prefix that the mirrors of all keys beginning with `text` share. */
export function mirroredPrefix(text: string): string {
  let mirror = '';
  for (let i = 0; i < text.length; i++)
    mirror += CODES.get(text[i] as string) ?? HIGH + (0xffff - text.charCodeAt(i)).toString(16).padStart(4, '0');
  return mirror;
}

/** Decodes a mirror to its original key. */
export function unmirrored(mirror: string): string {
  const codes = mirror.slice(0, -END.length).match(/ [0-9a-f]{4}|!\d|[^ !]/g) ?? [];
  return codes
    .map((code) =>
      code.startsWith(HIGH)
        ? String.fromCharCode(0xffff - Number.parseInt(code.slice(1), 16))
        : (CHARACTERS.get(code) as string),
    )
    .join('');
}
