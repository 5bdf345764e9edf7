import { createHash } from 'node:crypto';
import { AZURE_TABLES } from '../../blueprint/clouds';

const LONGEST = 63;

/**
 * Creates legal Azure table names, each from the name of a table or from the names of a table and its index. Keeps only
 * letters and digits. Appends a hash of the whole name if other characters were dropped, if the name would be illegal,
 * or if two names would be equal (Azure ignores case).
 */
export function azureNames(names: readonly (readonly string[])[]): readonly string[] {
  const plain = names.map((parts) => parts.join('').replace(/[^A-Za-z0-9]/g, ''));
  const count = (name: string) => plain.filter((other) => other.toLowerCase() === name.toLowerCase()).length;
  return names.map((parts, i) => {
    const letters = plain[i] as string;
    if (letters === parts.join('') && AZURE_TABLES.name.form.test(letters) && count(letters) === 1) return letters;
    const mark = hashOf(parts.join('/'));
    return `${letters.replace(/^(?![A-Za-z])/, 't').slice(0, LONGEST - mark.length)}${mark}`;
  });
}

/** A hash of a string as eight letters and digits (40 bits), identical on every machine. */
export function hashOf(text: string): string {
  const digits = 'abcdefghijklmnopqrstuvwxyz234567';
  const bytes = createHash('sha256').update(text).digest();
  // Eight digits of five bits each encode exactly the first 40 bits.
  const bits = Array.from(bytes.subarray(0, 5), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) as string[]).map((five) => digits[Number.parseInt(five, 2)]).join('');
}
