import { AZURE_TABLES } from '../../blueprint/clouds';
import { type KeySource, keyOf, knownParts } from '../../blueprint/table';
import type { Found, TableRule } from '../findings/finding';
import { atKey } from '../findings/place';

const causes = {
  number: 'a key is a number',
  'illegal-value': 'a part of a key can have a value that Azure refuses in a key',
  'illegal-prefix': 'every value of a part begins with text that Azure refuses in a key',
} as const;

type Cause = keyof typeof causes;

export const azureKeys: TableRule<'azure-keys', Cause> = {
  id: 'azure-keys',
  severity: 'error',
  why: 'Azure Tables accepts only strings as keys, and refuses keys that contain certain characters.',
  causes,
  *check(table) {
    if (table.cloud !== 'azure') return;
    for (const { keys } of table.entities) {
      for (const { name } of keyOf(table.key)) {
        const source = keys.get(name);
        if (source !== undefined) yield* inKey(source);
      }
    }
  },
};

function* inKey(source: KeySource): Iterable<Found<Cause>> {
  const { holds, natural, facts } = source;
  if (natural && facts[0]?.kind === 'number') {
    const message = `'${holds}' is a number, but the keys of an Azure table are strings`;
    const fix = `make '${holds}' a string, or pad the number in a template: '<number:10>'`;
    yield { ...atKey(source), cause: 'number', message, fix };
  }
  for (const { part, facts: known } of knownParts(source)) {
    const { name, format } = part;
    if (format !== undefined || known === undefined) continue;
    const texts = known.values?.map(String) ?? (known.prefix === undefined ? [] : [known.prefix]);
    const text = texts.find((candidate) => AZURE_TABLES.illegalInKeys.test(candidate));
    if (text === undefined) continue;
    const [illegal] = AZURE_TABLES.illegalInKeys.exec(text) as RegExpExecArray;
    const how = known.values === undefined ? 'always begins with' : 'can be';
    yield {
      ...atKey(source, { part: name, value: text }),
      cause: known.values === undefined ? 'illegal-prefix' : 'illegal-value',
      message: `<${name}> ${how} '${text}', but an Azure key must not contain '${illegal}'`,
      fix: `use a different character, such as '_'`,
    };
  }
}
