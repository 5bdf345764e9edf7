/** A value in DynamoDB's own format: its type and its content. */
export type Stored = Readonly<Record<string, unknown>>;

/**
 * Converts an item from DynamoDB's own format, which streams and errors contain, to the format of the document client.
 */
export function plainItem(stored: Readonly<Record<string, Stored>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(stored: Stored): unknown {
  const [[type, content] = ['', undefined]] = Object.entries(stored);
  switch (type) {
    case 'NULL':
      return null;
    case 'N':
      return plainNumber(content as string);
    case 'B':
      return bytes(content);
    case 'L':
      return (content as readonly Stored[]).map(plainValue);
    case 'M':
      return plainItem(content as Readonly<Record<string, Stored>>);
    case 'SS':
      return new Set(content as readonly string[]);
    case 'NS':
      return new Set((content as readonly string[]).map(plainNumber));
    case 'BS':
      return new Set((content as readonly unknown[]).map(bytes));
    default:
      return content;
  }
}

/** An integer that the type `number` cannot represent exactly becomes a bigint. */
function plainNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** The SDK passes binary values as bytes; a Lambda's event contains them as base64. */
function bytes(content: unknown): unknown {
  return typeof content === 'string' ? Uint8Array.from(atob(content), (c) => c.charCodeAt(0)) : content;
}
