import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { differences } from '../../../constructs/testing';
import { azuriteEngine } from '../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../lib/azure-tables/engine/database';
import type { TerraformJson } from '../../../lib/azure-tables/terraform';
import { isRead } from '../../../lib/blueprint/accesses';
import { check } from '../../../lib/check';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import type { SystemCases } from '../../../lib/proof/cases';
import { itemProofs, prove } from '../../../lib/proof/prove';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { stackOf } from '../../support/azurite';
import { type Mutant, mutantsOf } from './mutants';

/** Mutants that nothing can tell from the original, by name, and why. */
export type Equivalents = Readonly<Record<string, string>>;

/** Why a prefix can be left out: should another kind of item ever come there, the check finds it (pattern-pollution). */
export const ALONE = 'all items that can be in the partition begin so: the prefix keeps nothing out';

/** What is mutated: a system, its cases and its template; Azure tables have none that is more than their names. */
export interface Subject {
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  readonly template?: TemplateJson;
  /** More mutants than these must there be. @default 100 */
  readonly more?: number;
}

/** One of the systems that come along. */
function subjectNamed(name: string): Subject {
  const system = systems[name] as SystemDesign;
  const golden = join(__dirname, '../../golden', `${name}-prod.json`);
  const template = system.cloud === 'azure' ? {} : { template: JSON.parse(readFileSync(golden, 'utf8')) };
  return { system, cases: cases[name] as SystemCases, ...template };
}

/** That every mutant of a system is caught: by a check, by the template that is deployed, or else by a proof. */
export function describeMutants(name: string, equivalents: Equivalents = {}, own: Subject = subjectNamed(name)): void {
  const { system } = own;
  const { start, differs, templateFor } = system.cloud === 'azure' ? onAzure() : onAws(own);
  // What takes least comes first.
  const isCaughtBefore = (mutant: SystemDesign) =>
    hasItemFault(mutant, own.cases) || check(mutant).length > 0 || differs(mutant);

  describe(`of the mutants of ${name}`, () => {
    let engine: Database | AzureDatabase;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine.stop());

    const isProved = (mutant: SystemDesign) => isWhollyProved(engine, mutant, own.cases, templateFor(mutant));

    test('the original is none', async () => {
      expect(isCaughtBefore(system)).toBe(false);
      expect(await isProved(system)).toBe(true);
      // Nor is any of its tables alone, which mutants are first looked at in.
      for (const table of Object.keys(system.tables)) expect(await isProved(onlyTable(system, table))).toBe(true);
    }, 60_000);

    test('none survives', async () => {
      const mutants = [...mutantsOf(system)];
      const survivors: string[] = [];
      for (const mutant of mutants) {
        if (isCaughtBefore(mutant.system)) continue;
        const isKnown = Object.hasOwn(equivalents, mutant.name);
        if (await survives(mutant, isProved, isKnown)) survivors.push(mutant.name);
      }
      expect(survivors.filter((survivor) => !Object.hasOwn(equivalents, survivor))).toEqual([]);
      // What is called equivalent and is caught, or is no mutant any more, must not stay in the list.
      expect(Object.keys(equivalents).filter((known) => !survivors.includes(known))).toEqual([]);
      expect(mutants.length).toBeGreaterThan(own.more ?? 100);
    }, 300_000);
  });
}

/** A cloud: its engine, whether a design differs from what is deployed, and what of that some tables are. */
interface Cloud {
  start(): Promise<Database | AzureDatabase>;
  differs(mutant: SystemDesign): boolean;
  templateFor(mutant: SystemDesign): TemplateJson | TerraformJson;
}

function onAws({ system: { name }, template: whole = {} }: Subject): Cloud {
  const template = Template.fromJSON({ ...whole });
  return {
    start: () => embeddedEngine(),
    differs: (mutant) => differences(template, mutant).length > 0,
    templateFor: (mutant) => {
      const names = Object.keys(mutant.tables).map((table) => `${name}-prod-${table}`);
      const tables = Object.entries(whole.Resources ?? {}).filter(([, { Properties }]) =>
        names.includes(String(Properties?.TableName)),
      );
      return { Resources: Object.fromEntries(tables) };
    },
  };
}

/** An Azure table is no more than its name. */
function onAzure(): Cloud {
  return {
    start: () => azuriteEngine(),
    differs: () => false,
    templateFor: ({ tables }) => stackOf(...Object.keys(tables)),
  };
}

type IsProved = (system: SystemDesign) => Promise<boolean>;

/**
 * First what is closest to the change, which mostly tells; all of the system only where that does not, and at once where
 * nothing is expected to tell.
 */
async function survives(mutant: Mutant, isProved: IsProved, isKnown: boolean): Promise<boolean> {
  const { system, table } = mutant;
  const design = inOrder(system.tables[table] as TableDesign, mutant);
  const whole = { ...system, tables: { ...system.tables, [table]: design } };
  if (isKnown) return isProved(whole);
  if (!(await isProved(onlyTable(whole, table)))) return false;
  const isAll =
    Object.keys(system.tables).length === 1 && Object.keys({ ...system.patterns, ...system.procedures }).length === 0;
  return isAll || isProved(whole);
}

function onlyTable(system: SystemDesign, table: string): SystemDesign {
  return { ...system, tables: { [table]: system.tables[table] as TableDesign }, patterns: {}, procedures: {} };
}

/** The table with those patterns first that have to do with what is broken. */
function inOrder(design: TableDesign, { entity, pattern }: Mutant): TableDesign {
  const concerns = ([name, one]: [string, PatternDesign]) =>
    name === pattern || (entity !== undefined && isRead(one) && one.returns.includes(entity));
  const patterns = Object.entries(design.patterns ?? {});
  const first = patterns.filter(concerns);
  const rest = patterns.filter((one) => !concerns(one));
  return { ...design, patterns: Object.fromEntries([...first, ...rest]) };
}

/** Whether some item is stored under other keys than its case says, which no engine is asked for. */
function hasItemFault(system: SystemDesign, all: SystemCases): boolean {
  for (const { failure } of itemProofs({ system, cases: all })) if (failure !== undefined) return true;
  return false;
}

/** Whether every proof of a system, or of some of its tables, holds. */
async function isWhollyProved(
  engine: Database | AzureDatabase,
  system: SystemDesign,
  all: SystemCases,
  template: TemplateJson | TerraformJson,
): Promise<boolean> {
  const input = { system, template, environment: 'prod' };
  for await (const { failure } of prove(engine, { ...input, cases: casesOf(system, all) })) {
    if (failure !== undefined) return false;
  }
  return true;
}

/** The cases of the tables, patterns and procedures that are left: one of what is not there is a failure of its own. */
function casesOf({ tables, patterns = {}, procedures = {} }: SystemDesign, all: SystemCases): SystemCases {
  const left = <T>(some: Readonly<Record<string, T>>, known: object) =>
    Object.fromEntries(Object.entries(some).filter(([key]) => Object.hasOwn(known, key)));
  const own = { patterns: left(all.patterns ?? {}, patterns), procedures: left(all.procedures ?? {}, procedures) };
  return { ...all, tables: left(all.tables, tables), ...own };
}
