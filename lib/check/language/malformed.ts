import { unkeptAttribute } from '../../blueprint/attributes/facts';
import { systemSchema, tableSchema } from '../../design/schema/design';
import { isObject, show } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Found, Rule } from '../findings/finding';
import { misshapes } from './misshapes';
import { causes, type Misshape } from './wording';

/**
 * The rule about the shape of a design. Its findings cannot be acknowledged, and no other rule runs while there are
 * any.
 */
export const malformedDesign: Rule<'malformed', keyof typeof causes> = {
  id: 'malformed',
  severity: 'error',
  why: 'Only a well-formed design can be checked, so no other rule runs until these errors are fixed.',
  causes,
};

/**
 * Returns the reasons why a value is not a design: fields that are missing, misspelled or of the wrong type. The
 * TypeScript compiler reports most of these faults too, but for designs in JavaScript or JSON, this is the only check.
 */
export function malformed(design: unknown): readonly Found<keyof typeof causes>[] {
  const kind = isObject(design) && 'tables' in design ? 'system' : 'table';
  const subject = { kind, name: isObject(design) && typeof design.name === 'string' ? design.name : '' } as const;
  return misshapesOf(design, kind).map(({ proposed, ...fault }) => ({
    ...fault,
    subject: proposed === undefined ? subject : { ...subject, proposed },
  }));
}

function misshapesOf(design: unknown, kind: 'system' | 'table'): readonly Misshape[] {
  if (!isObject(design)) {
    const message = `must be a design from defineTable or defineSystem, got: ${show(design)}`;
    const fix = 'pass a design, and check that the file exports the design under this name';
    return [{ path: 'design', cause: 'design', message, fix }];
  }
  const schema = kind === 'system' ? systemSchema : tableSchema;
  const found: Misshape[] = [];
  // Nearly every design parses, and parsing is many times faster than searching for faults.
  if (!schema.safeParse(design).success) misshapes(schema, design, '', found);
  return found.length > 0 ? found : unkeptNames(design);
}

/** Finds the attributes of a well-formed design that zod drops when it parses an item. */
function unkeptNames({ tables, entities = {} }: WellFormed, within = ''): readonly Misshape[] {
  if (tables !== undefined) {
    return Object.entries(tables).flatMap(([name, table]) => unkeptNames(table, `tables.${name}.`));
  }
  return Object.entries(entities).flatMap(([name, { attributes }]): readonly Misshape[] => {
    const unkept = unkeptAttribute(attributes);
    if (unkept === undefined) return [];
    const message = `'${unkept}' has a special meaning in JavaScript: zod drops the attribute, so no item ever stores it`;
    const path = `${within}entities.${name}.attributes`;
    return [{ path, cause: 'unkept-name', message, fix: `rename '${unkept}'` }];
  });
}

type WellFormed = Partial<Pick<SystemDesign, 'tables'> & Pick<TableDesign, 'entities'>>;
