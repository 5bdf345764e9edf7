import { type Check, checksOf, defOf, listedValues, type Schema } from './schema';

/** Tells of a string that its schema takes it and leaves it as it is. Where it says no, the schema itself has to be asked. */
export type QuickTest = (text: string) => boolean;

/**
 * What can be told of a string without asking the schema, which takes several times as long as all the rest of a request;
 * undefined where that is nothing.
 */
export function quickTest(schema: Schema): QuickTest | undefined {
  const def = defOf(schema);
  const { type, innerType } = def;
  if (innerType !== undefined) return /^(optional|nullable)$/.test(type) ? quickTest(innerType) : undefined;
  const tests: (QuickTest | undefined)[] = checksOf(def).map(testOfCheck);
  if (type === 'enum' || type === 'literal') {
    const listed = new Set<unknown>(listedValues(def));
    tests.push((text) => listed.has(text));
  } else if (type !== 'string') return undefined;
  else if (def.format !== undefined) tests.push(testOfCheck(def));
  if (tests.includes(undefined)) return undefined;
  const [first, ...others] = tests as QuickTest[];
  if (first === undefined) return () => true;
  return others.length === 0 ? first : (text) => first(text) && others.every((test) => test(text));
}

/** Forms that are no more than their pattern; of others, zod asks more. */
const PATTERNS = /^(regex|uuid|ulid|nanoid|date(time)?)$/;

function testOfCheck({ check, minimum = 0, maximum, format = '', pattern }: Partial<Check>): QuickTest | undefined {
  // Zod counts characters, or did count units, of which a character is one or two.
  if (check === 'min_length') return (text) => text.length >= minimum * 2 - 1;
  if (check === 'max_length') return (text) => text.length <= (maximum as number);
  // One that is global or sticky remembers where it was.
  return PATTERNS.test(format) && pattern && !/[gy]/.test(pattern.flags) ? (text) => pattern.test(text) : undefined;
}
