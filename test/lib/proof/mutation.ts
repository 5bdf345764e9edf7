import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import fc from 'fast-check';
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

/** Why each equivalent mutant, given by name, behaves like the original. */
export type Equivalents = Readonly<Record<string, string>>;

/**
 * Why a query without its prefix returns the same items. If the partition could contain other items, the check would
 * report the pattern (rule pattern-pollution).
 */
export const ALONE =
  'the sort keys of all items in the partition begin with the prefix, so the prefix excludes nothing';

/** Why a put does the same without `replace`. */
export const EXISTING = 'the condition requires an existing item, which the put replaces with or without `replace`';

/**
 * The system to mutate, with its cases and its template. Azure needs no template, because an Azure table has no
 * properties except its name.
 */
export interface Subject {
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  readonly template?: TemplateJson;
  /** The system must have more mutants than this number. @default 100 */
  readonly more?: number;
  /** The number of mutants to draw, with a fixed seed, from the mutants that only a proof can catch. @default - all mutants */
  readonly sample?: number;
}

/** Returns a bundled system with its cases. */
function subjectNamed(name: string): Subject {
  const system = systems[name] as SystemDesign;
  const golden = join(__dirname, '../../golden', `${name}-prod.json`);
  const template = system.cloud === 'azure' ? {} : { template: JSON.parse(readFileSync(golden, 'utf8')) };
  return { system, cases: cases[name] as SystemCases, ...template };
}

/** Expects that a check, the deployed template or a proof catches every mutant of a system. */
export function describeMutants(name: string, equivalents: Equivalents = {}, own: Subject = subjectNamed(name)): void {
  const { system } = own;
  const { start, differs, templateFor } = system.cloud === 'azure' ? onAzure() : onAws(own);
  // Tries the cheapest check first.
  const isCaughtBefore = (mutant: SystemDesign) =>
    hasItemFault(mutant, own.cases) || check(mutant).length > 0 || differs(mutant);

  describe(`mutation of ${name}`, () => {
    let engine: Database | AzureDatabase;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine.stop());

    const isProved = (mutant: SystemDesign) => isWhollyProved(engine, mutant, own.cases, templateFor(mutant));

    test('the original system passes its proof', async () => {
      expect(isCaughtBefore(system)).toBe(false);
      expect(await isProved(system)).toBe(true);
      // Each table must also pass its proof alone, because a mutant is first proved with only its own table.
      for (const table of Object.keys(system.tables)) expect(await isProved(onlyTable(system, table))).toBe(true);
    }, 60_000);

    test('no mutant survives', async () => {
      const mutants = [...mutantsOf(system)];
      const survivors: string[] = [];
      let left = own.sample ?? mutants.length;
      for (const mutant of own.sample === undefined ? mutants : shuffled(mutants)) {
        const isKnown = Object.hasOwn(equivalents, mutant.name);
        if (isCaughtBefore(mutant.system) || (isKnown && own.sample !== undefined)) continue;
        if (left-- === 0) break;
        if (await survives(mutant, isProved, isKnown)) survivors.push(mutant.name);
      }
      expect(survivors.filter((survivor) => !Object.hasOwn(equivalents, survivor))).toEqual([]);
      // Every mutant that is listed as equivalent must still exist, and must survive every check and proof.
      if (own.sample === undefined)
        expect(Object.keys(equivalents).filter((known) => !survivors.includes(known))).toEqual([]);
      expect(mutants.length).toBeGreaterThan(own.more ?? 100);
    }, 300_000);
  });
}

/**
 * What the tests need from a cloud: an engine, whether a mutant differs from the deployed template, and a template for
 * a mutant.
 */
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

/** On Azure, a mutant never differs from the template, because an Azure table has no properties except its name. */
function onAzure(): Cloud {
  return {
    start: () => azuriteEngine(),
    differs: () => false,
    templateFor: ({ tables }) => stackOf(...Object.keys(tables)),
  };
}

function shuffled(mutants: readonly Mutant[]): readonly Mutant[] {
  const { length } = mutants;
  const [found = []] = fc.sample(fc.shuffledSubarray([...mutants], { minLength: length }), { seed: 1, numRuns: 1 });
  return found;
}

type IsProved = (system: SystemDesign) => Promise<boolean>;

/**
 * Proves the changed table first, because that proof catches most mutants. If it passes, proves the whole system.
 * Proves only the whole system if the mutant is known to be equivalent.
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

/** Moves the patterns that involve the broken part to the front. */
function inOrder(design: TableDesign, { entity, pattern }: Mutant): TableDesign {
  const concerns = ([name, one]: [string, PatternDesign]) =>
    name === pattern || (entity !== undefined && isRead(one) && one.returns.includes(entity));
  const patterns = Object.entries(design.patterns ?? {});
  const first = patterns.filter(concerns);
  const rest = patterns.filter((one) => !concerns(one));
  return { ...design, patterns: Object.fromEntries([...first, ...rest]) };
}

/** Whether an item of the cases has a fault, such as a wrong key. This test needs no engine. */
function hasItemFault(system: SystemDesign, all: SystemCases): boolean {
  for (const { failure } of itemProofs({ system, cases: all })) if (failure !== undefined) return true;
  return false;
}

/** Whether every proof of a system succeeds. The system may contain only some of the tables. */
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

/** Leaves out the cases of removed tables, patterns and procedures, because these cases would fail. */
function casesOf({ tables, patterns = {}, procedures = {} }: SystemDesign, all: SystemCases): SystemCases {
  const left = <T>(some: Readonly<Record<string, T>>, known: object) =>
    Object.fromEntries(Object.entries(some).filter(([key]) => Object.hasOwn(known, key)));
  const own = { patterns: left(all.patterns ?? {}, patterns), procedures: left(all.procedures ?? {}, procedures) };
  return { ...all, tables: left(all.tables, tables), ...own };
}
