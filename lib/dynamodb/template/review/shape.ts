/** A template may hold anything anywhere: these read it as what is expected, or as nothing. */

export type Loose = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** The records of a list, or of one that stands for a list of one. */
export function records(value: unknown): readonly Loose[] {
  return [value].flat().filter(isRecord);
}

/** The texts of a list, or of one that stands for a list of one. */
export function texts(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
