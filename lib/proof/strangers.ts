import { outline } from '../blueprint/outline';
import { suggestion } from '../design/names';
import { isObject } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { SystemCases } from './cases';

/** A case for a table, pattern or procedure that the system does not have. Such a case proves nothing. */
export interface Stranger {
  readonly name: string;
  readonly kind: 'read' | 'write' | 'procedure' | 'tables';
  readonly failure: string;
}

/** Returns the cases for unknown tables, patterns and procedures. In TypeScript, the compiler already rejects them. */
export function strangersIn(system: SystemDesign, cases: SystemCases): readonly Stranger[] {
  const tables = Object.entries(cases.tables);
  const procedures = Object.keys(system.procedures ?? {});
  return [
    ...tables
      .filter(([table]) => !Object.hasOwn(system.tables, table))
      .map(([table]) => stranger(table, 'tables', `system '${system.name}' has no table`, Object.keys(system.tables))),
    ...tables.flatMap(([table, tableCases]) => {
      const design = Object.hasOwn(system.tables, table) ? system.tables[table] : undefined;
      if (design === undefined) return [];
      const known = outline(design).patterns.map(({ name }) => name);
      return Object.entries(tableCases?.patterns ?? {})
        .filter(([name]) => !known.includes(name))
        .map(([name, found]) =>
          stranger(
            name,
            isObject(found) && 'returns' in found ? 'read' : 'write',
            `table '${table}' has no pattern`,
            known,
          ),
        );
    }),
    ...Object.entries(cases.patterns ?? {})
      .filter(([name]) => !Object.hasOwn(system.patterns ?? {}, name))
      .map(([name, found]) =>
        stranger(
          name,
          isObject(found) && 'returns' in found ? 'read' : 'write',
          `system '${system.name}' has no pattern`,
          Object.keys(system.patterns ?? {}),
        ),
      ),
    ...Object.keys(cases.procedures ?? {})
      .filter((name) => !procedures.includes(name))
      .map((name) => stranger(name, 'procedure', `system '${system.name}' has no procedure`, procedures)),
  ];
}

function stranger(name: string, kind: Stranger['kind'], lacks: string, known: readonly string[]): Stranger {
  return { name, kind, failure: `the cases include '${name}', but ${lacks} of that name; ${suggestion(name, known)}` };
}
