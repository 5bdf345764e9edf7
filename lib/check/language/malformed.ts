import { unkeptAttribute } from '../../blueprint/attributes/facts';
import { systemSchema, tableSchema } from '../../design/schema/design';
import { isObject, show } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Found, Rule } from '../findings/finding';
import { misshapes } from './misshapes';
import { causes, type Misshape } from './wording';

/** The rule on a design's shape. If it finds something, no other rule runs, and it cannot be acknowledged. */
export const malformedDesign: Rule<'malformed', keyof typeof causes> = {
  id: 'malformed',
  severity: 'error',
  why: 'Only a well-formed design can be checked, so no other rule runs until this is fixed.',
  causes,
};

/**
 * Why a value is not a design: fields that are missing, misspelt or of the wrong type. In TypeScript, the compiler
 * reports them too; for JavaScript and JSON, this is the only check.
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
    const message = `must be what defineTable or defineSystem returns, got: ${show(design)}`;
    const fix = 'pass a design, and check that it is exported under this name';
    return [{ path: 'design', cause: 'design', message, fix }];
  }
  const schema = kind === 'system' ? systemSchema : tableSchema;
  const found: Misshape[] = [];
  // Nearly every design parses, and parsing is many times faster than searching for faults.
  if (!schema.safeParse(design).success) misshapes(schema, design, '', found);
  return found.length > 0 ? found : unkeptNames(design);
}

/** Attributes that zod drops, in the entities of a well-formed design. */
function unkeptNames({ tables, entities = {} }: WellFormed, within = ''): readonly Misshape[] {
  if (tables !== undefined) {
    return Object.entries(tables).flatMap(([name, table]) => unkeptNames(table, `tables.${name}.`));
  }
  return Object.entries(entities).flatMap(([name, { attributes }]): readonly Misshape[] => {
    const unkept = unkeptAttribute(attributes);
    if (unkept === undefined) return [];
    const message = `'${unkept}' has a special meaning in JavaScript, and zod drops it: it is never stored`;
    const path = `${within}entities.${name}.attributes`;
    return [{ path, cause: 'unkept-name', message, fix: `give ${unkept} another name` }];
  });
}

type WellFormed = Partial<Pick<SystemDesign, 'tables'> & Pick<TableDesign, 'entities'>>;
