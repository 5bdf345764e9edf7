import { testsIn } from '../../blueprint/conditions';
import { outline } from '../../blueprint/outline';
import type { Condition, Test, UpdatePattern } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { ItemChange } from './plan';

/**
 * Describes the patterns that filter by, compare or count an attribute while it is stored in two forms. An equality
 * test in the condition of a write is fine, since the write first converts its item to one form.
 */
export function comparedInTwoForms({ tables, cloud }: SystemDesign, items: readonly ItemChange[]): readonly string[] {
  return items.flatMap(({ to, downs = [] }) => {
    const design = to && tables[to.table];
    if (design === undefined || downs.length === 0) return [];
    if (cloud === 'azure')
      return downs.map((name) => `${to?.entity}.${name}: on Azure, a release can read a column in only one form`);
    const named = (path: string) => downs.find((name) => path === name || path.startsWith(`${name}.`));
    return outline(design).patterns.flatMap(({ name, accesses }) =>
      accesses.flatMap(({ step, entities }) => {
        if (!entities.includes(to?.entity as string)) return [];
        const { filter = {}, condition = {}, add, subtract } = step as Partial<UpdatePattern> & { filter?: Condition };
        const filtered = testsIn(filter).map(({ path }) => ['filters by', named(path)]);
        const ordered = testsIn(condition).map(({ path, test }) => [
          'compares',
          isOrder(test) ? named(path) : undefined,
        ]);
        const counted = Object.keys({ ...add, ...subtract }).map((path) => ['counts', named(path)]);
        return [...filtered, ...ordered, ...counted].flatMap(([what, attribute]) =>
          attribute === undefined
            ? []
            : [`${name} ${what} '${attribute}', which is stored in two forms during the migration`],
        );
      }),
    );
  });
}

function isOrder(test: Test): boolean {
  return (
    typeof test === 'object' &&
    test !== null &&
    !('exists' in test || 'in' in test || 'not' in test || 'equals' in test)
  );
}
