import { checksOf, defOf, type Schema, schemaAt, shapeOf } from './schema';

/** The size of a schema's values in bytes, according to the schema's own bounds. */
export interface Size {
  readonly least: number;
  readonly most: number;
  /** Whether the schema is, or contains, a list or a map without an upper bound. */
  readonly isOpen: boolean;
}

/**
 * Returns the size of an attribute that can be large; undefined for an attribute that stays small, such as a short
 * string or a number.
 */
export function sizeAt(schema: Schema, attribute: string): Size | undefined {
  const at = schemaAt(schema, [attribute]);
  if (!at) return undefined;
  const size = sizeOf(at, 0);
  return size.isOpen || size.most > LARGE ? size : undefined;
}

const LARGE = 1_024;
const DEEP = 6;
const SMALL: Size = { least: 0, most: 0, isOpen: false };

function sizeOf(schema: Schema, depth: number): Size {
  const def = defOf(schema);
  if (depth > DEEP) return SMALL;
  const inner = (part: Schema | undefined | null) => (part ? sizeOf(part, depth + 1) : SMALL);
  const [fewest, many] = lengthsOf(schema);
  switch (def.type) {
    case 'string':
      // An unbounded string is assumed to be short, since most strings are.
      return { least: fewest, most: many === Infinity ? fewest : many, isOpen: false };
    case 'object': {
      const members = Object.values(shapeOf(schema)).map(inner);
      return {
        least: members.reduce((sum, { least }) => sum + least, 0),
        most: members.reduce((sum, { most }) => sum + most, 0),
        isOpen: members.some(({ isOpen }) => isOpen),
      };
    }
    case 'array':
    case 'set': {
      const element = inner(def.element ?? def.valueType);
      const isListed = def.type === 'set' && defOf(def.valueType ?? schema).type === 'enum';
      const isOpen = element.isOpen || (many === Infinity && !isListed);
      return { least: fewest * element.least, most: isOpen ? 0 : Math.min(many, 1e6) * element.most, isOpen };
    }
    case 'record': {
      const isListed = ['enum', 'literal'].includes(defOf(def.keyType ?? schema).type);
      return { ...SMALL, isOpen: !isListed || inner(def.valueType).isOpen };
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return { ...inner(def.innerType), least: 0 };
    case 'pipe':
      return inner(def.out);
    default:
      return SMALL;
  }
}

function lengthsOf(schema: Schema): readonly [number, number] {
  let [least, most] = [0, Infinity];
  for (const { check, minimum, maximum, length } of checksOf(defOf(schema))) {
    if (!/length|size/.test(check)) continue;
    least = Math.max(least, minimum ?? length ?? 0);
    most = Math.min(most, maximum ?? length ?? Infinity);
  }
  return [least, most];
}
