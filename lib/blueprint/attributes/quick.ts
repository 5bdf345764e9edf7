import { type Check, checksOf, defOf, listedValues, type Schema } from './schema';

/**
 * Returns true if the schema certainly accepts the string unchanged. If the test returns false, only the schema itself
 * can decide.
 */
export type QuickTest = (text: string) => boolean;

/**
 * Returns a test that saves parsing a string with zod, which takes several times as long as the rest of a request.
 * Returns undefined if the schema allows no such test.
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

/** Formats that zod validates with a pattern alone. */
const PATTERNS = /^(regex|uuid|ulid|nanoid|date(time)?)$/;

function testOfCheck({ check, minimum = 0, maximum, format = '', pattern }: Partial<Check>): QuickTest | undefined {
  // A character consists of one or two UTF-16 code units. Newer versions of zod count characters, whereas earlier
  // versions count code units, so these tests accept a string only if every version would.
  if (check === 'min_length') return (text) => text.length >= minimum * 2 - 1;
  if (check === 'max_length') return (text) => text.length <= (maximum as number);
  // A global or sticky expression would remember its position between tests.
  return PATTERNS.test(format) && pattern && !/[gy]/.test(pattern.flags) ? (text) => pattern.test(text) : undefined;
}
