import * as z from 'zod';
import { type CheckData, dataOf, type Pattern, type Scalar, type SchemaData } from '../blueprint/attributes/data';
import { canonical, digest, same } from '../evolve/canonical';
import { rebuild, unpacked } from '../evolve/schema/rebuild';
import { around, type Code, list, literal, object, text } from './layout';

/** Collects remarks on rules that cannot be written as source code, and supplies the comments for a path. */
export interface Margin {
  unsure(path: readonly string[], text: string): void;
  comments(path: readonly string[]): readonly string[];
}

/** Returns the zod source code of a schema. Omits rules that are functions, and reports them as unsure. */
export function schemaCode(data: SchemaData, margin: Margin, path: readonly string[]): Code {
  if (data.type === 'lazy' && anywhere(data) === JSON_DATA) return 'z.json()';
  const part = (inner: SchemaData | undefined, step: string) =>
    schemaCode(inner ?? { type: 'any' }, margin, [...path, step]);
  const made = bareCode(data, part, margin, path);
  return around('', made, (data.checks ?? []).map((check) => checkCode(data, check, margin, path)).join(''));
}

/** Serializes a schema without the positions in its recursive references, so that equal schemas give equal strings. */
function anywhere(data: SchemaData): string {
  return canonical(data).replaceAll(/"to":\[[^\]]*\]/g, '"to":[]');
}

const JSON_DATA = anywhere(dataOf(z.json() as never, digest));

type Part = (inner: SchemaData | undefined, step: string) => Code;

function bareCode(data: SchemaData, part: Part, margin: Margin, path: readonly string[]): Code {
  switch (data.type) {
    case 'string':
      return data.coerce ? 'z.coerce.string()' : formCode(data);
    case 'number':
      return data.coerce ? 'z.coerce.number()' : `z.${NUMBERS[data.format ?? ''] ?? 'number'}()`;
    case 'bigint':
    case 'boolean':
    case 'date':
      return data.coerce ? `z.coerce.${data.type}()` : `z.${data.type}()`;
    case 'enum':
      return around('z.enum(', list((data.values ?? []).map(scalarCode)), ')');
    case 'literal': {
      const values = (data.values ?? []).map(scalarCode);
      return values.length === 1 ? `z.literal(${values[0]})` : around('z.literal(', list(values), ')');
    }
    case 'template_literal':
      return around('z.templateLiteral(', list(piecesOf(data).map((one) => pieceCode(one, part))), ')');
    case 'object':
      return objectCode(data, margin, path);
    case 'array':
      return around('z.array(', part(data.element, 'element'), ')');
    case 'set':
      return around('z.set(', part(data.valueType, 'valueType'), ')');
    case 'tuple': {
      const items = list((data.items ?? []).map((item, i) => part(item, String(i))));
      const rest = data.rest === undefined ? '' : around('.rest(', part(data.rest, 'rest'), ')');
      return around('z.tuple(', items, `)${flat(rest)}`);
    }
    case 'record':
    case 'map': {
      const kind = data.partial ? 'partialRecord' : data.mode === 'loose' ? 'looseRecord' : data.type;
      return around(`z.${kind}(${flat(part(data.keyType, 'keyType'))}, `, part(data.valueType, 'valueType'), ')');
    }
    case 'union':
      return around(
        data.discriminator === undefined
          ? `z.${data.mode === 'xor' ? 'xor' : 'union'}(`
          : `z.discriminatedUnion(${scalarCode(data.discriminator)}, `,
        list((data.options ?? []).map((one, i) => part(one, String(i)))),
        ')',
      );
    case 'intersection':
      return around(`z.intersection(${flat(part(data.left, 'left'))}, `, part(data.right, 'right'), ')');
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
      return around('', schemaCode(data.innerType ?? { type: 'any' }, margin, path), `.${data.type}()`);
    case 'default':
    case 'prefault': {
      const inner = schemaCode(data.innerType ?? { type: 'any' }, margin, path);
      if (data.default !== undefined)
        return around('', inner, `.${data.type}(${flat(literal(JSON.parse(data.default)))})`);
      margin.unsure(path, 'a function computes this default; write the default by hand');
      return around('', inner, '.optional()');
    }
    case 'null':
    case 'undefined':
    case 'nan':
    case 'never':
    case 'any':
    case 'unknown':
      return `z.${data.type}()`;
    case 'pipe': {
      const codeless = data.code === undefined && [data.in, data.out].every((side) => side?.type !== 'transform');
      if (codeless) return around('', part(data.in, 'in'), `.pipe(${flat(part(data.out, 'out'))})`);
      margin.unsure(path, 'this transform is a function; write it by hand');
      return part(data.in?.type === 'transform' ? data.out : data.in, 'in');
    }
    default:
      if (data.type === 'custom' && data.class === 'Uint8Array') return 'z.instanceof(Uint8Array)';
      margin.unsure(
        path,
        data.type === 'custom' ? 'this custom schema is a function; write it by hand' : 'this schema contains itself',
      );
      return 'z.any()';
  }
}

function objectCode(data: SchemaData, margin: Margin, path: readonly string[]): Code {
  const { catchall } = data;
  const open = catchall?.type === 'unknown' ? 'looseObject' : catchall?.type === 'never' ? 'strictObject' : 'object';
  const rest = catchall === undefined || open !== 'object' ? '' : schemaCode(catchall, margin, path);
  const entries = Object.entries(data.shape ?? {}).map(([name, schema]) => {
    const at = [...path, name];
    const code = schemaCode(schema, margin, at);
    return { name, code, comments: margin.comments(at) };
  });
  return around(`z.${open}(`, object(entries), rest === '' ? ')' : `).catchall(${flat(rest)})`);
}

function piecesOf({ pieces = [] }: SchemaData): readonly (SchemaData | Scalar)[] {
  return pieces;
}

function pieceCode(piece: SchemaData | Scalar, part: Part): Code {
  return isSchema(piece) ? part(piece, 'pieces') : scalarCode(piece);
}

function isSchema(piece: SchemaData | Scalar): piece is SchemaData {
  return typeof piece === 'object' && piece !== null && 'type' in piece;
}

const NUMBERS: Readonly<Record<string, string>> = {
  safeint: 'int',
  int32: 'int32',
  uint32: 'uint32',
  float32: 'float32',
  float64: 'float64',
};

const ISO = ['datetime', 'date', 'time', 'duration'];

function formCode({ checks: _, ...data }: SchemaData): string {
  const { format, pattern } = data;
  if (format === undefined) return 'z.string()';
  const { pattern: __, ...plain } = data;
  const options = { version: data.version, precision: data.precision, offset: data.offset, local: data.local };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // If rebuilding the format without its pattern yields the same data, the pattern is zod's own. Otherwise, the pattern
  // is the user's.
  const isOwn = same(dataOf(rebuild(plain) as never, digest), data);
  if (!isOwn && pattern !== undefined)
    return format === 'email' ? `z.email({ pattern: ${regular(pattern)} })` : `z.string().regex(${regular(pattern)})`;
  const named = [
    ...given.map(([name, value]) => `${name}: ${flat(literal(value))}`),
    ...(data.hostname ? [`hostname: ${regular(data.hostname)}`] : []),
    ...(data.protocol ? [`protocol: ${regular(data.protocol)}`] : []),
  ];
  const form = ISO.includes(format) ? `iso.${format}` : format;
  return `z.${form}(${named.length === 0 ? '' : `{ ${named.join(', ')} }`})`;
}

function checkCode(data: SchemaData, check: CheckData, margin: Margin, path: readonly string[]): string {
  const { value, inclusive, minimum, maximum, length, size, prefix, suffix, includes, pattern, format } = check;
  switch (check.check) {
    case 'greater_than':
      return `.${inclusive ? 'min' : 'gt'}(${scalarCode(value as Scalar)})`;
    case 'less_than':
      return `.${inclusive ? 'max' : 'lt'}(${scalarCode(value as Scalar)})`;
    case 'multiple_of':
      return `.multipleOf(${scalarCode(value as Scalar)})`;
    case 'min_length':
    case 'min_size':
      return `.min(${minimum})`;
    case 'max_length':
    case 'max_size':
      return `.max(${maximum})`;
    case 'length_equals':
      return `.length(${length})`;
    case 'size_equals':
      return `.size(${size})`;
    case 'number_format':
      return `.check(z.${NUMBERS[format ?? ''] ?? 'int'}())`;
    case 'string_format':
      if (prefix !== undefined) return `.startsWith(${text(prefix)})`;
      if (suffix !== undefined) return `.endsWith(${text(suffix)})`;
      if (includes !== undefined) return `.includes(${text(includes)})`;
      if (format === 'lowercase' || format === 'uppercase') return `.${format}()`;
      if (format === 'regex' && pattern !== undefined) return `.regex(${regular(pattern)})`;
      return `.check(${formCode({ ...check, type: 'string', checks: [] } as SchemaData)})`;
    case 'overwrite': {
      const known = OVERWRITES.find(([, code]) => code === check.code);
      if (known !== undefined) return `.${known[0]}()`;
      break;
    }
    default:
  }
  margin.unsure(path, `a rule on the ${data.type} is a function; write the rule by hand`);
  return '';
}

/** Zod's own string transforms, keyed by the digest of their code. */
const OVERWRITES = (['trim', 'toLowerCase', 'toUpperCase'] as const).map(
  (name) => [name, dataOf(z.string()[name]() as never, digest).checks?.[0]?.code] as const,
);

function scalarCode(value: Scalar): string {
  const plain = unpacked(value);
  if (typeof plain === 'bigint') return `${plain}n`;
  if (plain instanceof Date) return `new Date(${text(plain.toISOString())})`;
  return typeof plain === 'string' ? text(plain) : String(plain);
}

function regular({ source, flags }: Pattern): string {
  return String(new RegExp(source, flags));
}

/** Prints code on one line, regardless of its length. */
function flat(code: Code): string {
  if (typeof code === 'string') return code;
  const parts = code.entries.map(({ lead, code: value }) => `${lead}${flat(value)}`);
  return `${code.open}${parts.join(', ')}${code.close}`;
}
