import type { AttributeFacts } from '../../blueprint/attributes/facts';
import type { KeySource } from '../../blueprint/table';
import type { Hole } from '../../design/template';
import type { Found, Rule } from '../finding';

export const unkeyable: Rule = {
  id: 'unkeyable',
  severity: 'error',
  why: 'A value that cannot be part of a key is refused when the item is written, or the key is not what it seems.',
  check: ({ plan }) =>
    plan.sources
      .filter(
        ({ natural, template, facts }) =>
          !natural && template.holes.some((hole, i) => fault(hole, facts[i], plan.separator)),
      )
      .flatMap((source) => inKey(source, plan.separator)),
};

function inKey({ path, template, facts }: KeySource, separator: string): readonly Found[] {
  return template.holes.flatMap((hole, i) => {
    const found = fault(hole, facts[i], separator);
    return found === undefined ? [] : [{ path, message: `'${template.text}': ${found.message}`, fix: found.fix }];
  });
}

type Fault = Pick<Found, 'message' | 'fix'>;

/** A part that is no attribute at all is a fault of its own. */
function fault(hole: Hole, facts: AttributeFacts | undefined, separator: string): Fault | undefined {
  if (facts === undefined) return undefined;
  const { format } = hole;
  if (facts.isDate) {
    const message = `<${hole.name}> is a Date, and a key is made of texts and numbers`;
    return { message, fix: `keep it as a text: ${hole.path.at(-1)}: z.iso.datetime({ precision: 3 })` };
  }
  if (format === undefined) return plainFault(hole, facts, separator);
  return typeof format === 'number' ? widthFault(hole, format, facts) : timeFault(hole, format, facts);
}

function plainFault({ name }: Hole, { kind, prefix }: AttributeFacts, separator: string): Fault | undefined {
  if (prefix !== undefined && separator !== '' && prefix.includes(separator)) {
    const message = `<${name}> always begins with '${prefix}', and no value in a key may hold '${separator}', the separator`;
    const other = separator === '#' ? '|' : '#';
    return {
      message,
      fix: `let it begin with '${prefix.replaceAll(separator, '_')}', or use another separator: '${other}'`,
    };
  }
  if (kind !== 'boolean' && kind !== 'map' && kind !== 'list') return undefined;
  const fix =
    kind === 'map'
      ? `name what is in it: <${name}.id>`
      : `use a text or a number instead of it${kind === 'boolean' ? `, such as z.enum(['yes', 'no'])` : ''}`;
  return { message: `<${name}> is a ${kind}, and a key is made of texts and numbers`, fix };
}

function widthFault({ name }: Hole, width: number, { kind, integer, maximum, minimum, values }: AttributeFacts) {
  if (kind !== 'number') {
    return kind === 'other' || kind === 'binary'
      ? undefined
      : { message: `<${name}:${width}> pads a ${kind}, and only numbers are padded`, fix: `write <${name}>` };
  }
  const numbers = values === undefined ? [minimum, maximum] : values.map(Number);
  const largest = Math.max(
    ...(numbers.filter((number) => number !== undefined && Number.isFinite(number)) as number[]),
  );
  // What has no bound of its own says nothing: zod's whole numbers go up to the largest that is exact.
  if (largest > 10 ** width - 1 && largest < Number.MAX_SAFE_INTEGER) {
    const digits = String(Math.trunc(largest)).length;
    const message = `<${name}:${width}> has room for ${width} digits, and it can be ${largest}`;
    return { message, fix: `write <${name}:${digits}>, or lower its maximum` };
  }
  // A whole number without a bound of its own is taken to be one that counts.
  const smallest = Math.min(...(numbers.filter((number) => number !== undefined) as number[]));
  if (smallest < 0 && smallest > Number.MIN_SAFE_INTEGER) {
    const message = `<${name}:${width}> can be ${smallest}, and what is below zero is not padded, but refused`;
    return { message, fix: `raise its minimum: z.int().min(0), or store it with an offset` };
  }
  if (values === undefined && integer !== true) {
    const message = `<${name}:${width}> pads a number that need not be whole, and a fraction is refused`;
    return { message, fix: `make it z.int().min(0)` };
  }
  return undefined;
}

/** Forms of text that no timestamp has; a text of any other form may be one. */
const NO_TIMES: ReadonlySet<string> = new Set([
  'uuid',
  'guid',
  'ulid',
  'nanoid',
  'cuid',
  'cuid2',
  'xid',
  'ksuid',
  'email',
  'url',
  'ipv4',
  'ipv6',
  'time',
  'duration',
]);

function timeFault({ name }: Hole, piece: string, { kind, format = '', values }: AttributeFacts): Fault | undefined {
  if (kind === 'other' || kind === 'binary') return undefined;
  if (kind === 'string' && values === undefined && !NO_TIMES.has(format)) return undefined;
  const what = values !== undefined ? 'listed value' : NO_TIMES.has(format) ? format : kind;
  return {
    message: `<${name}:${piece}> takes the ${piece} of a ${what}, and only an ISO timestamp has one`,
    fix: `make ${name} z.iso.datetime({ precision: 3 }), or write <${name}>`,
  };
}
