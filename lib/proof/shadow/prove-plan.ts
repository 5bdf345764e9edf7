import { isDeepStrictEqual } from 'node:util';
import type { AzureEngine } from '../../azure-tables/engine/azure-tables';
import { readEntity } from '../../azure-tables/entity';
import type { TerraformJson } from '../../azure-tables/terraform';
import type { SystemDesign } from '../../design/system';
import type { Engine } from '../../dynamodb/engine/engine';
import type { TemplateJson } from '../../dynamodb/template/tables';
import {
  type DefinedMigration,
  designOf,
  type Lock,
  lockAfter,
  type Migration,
  migrationFor,
  originOf,
  type Phase,
  type Plan,
  withEdits,
} from '../../evolve';
import { signed } from '../../evolve/canonical';
import type { SystemCases } from '../cases';
import { type Unserved, unservedBy } from '../unserved';
import { azureGround } from './azure-ground';
import { carryOut, leftOver } from './carry-out';
import { casesAt } from './cases-at';
import { strictDouble } from './double';
import { dynamoGround } from './dynamodb-ground';
import type { Ground, Held } from './ground';
import { Model } from './model';
import { Reader, waysTo } from './reach';
import { oldRelease, type ReleasesOf, releaseAt } from './releases';
import { seedsOf } from './seeds';
import { type Release, work } from './writers';

export interface PlanProofInput {
  readonly plan: Plan;
  readonly lock: Lock;
  readonly design: SystemDesign;
  /** The cases of the new design. @default - only what can be derived is proved */
  readonly cases?: SystemCases;
  /** The cases of the deployed design. @default - the items of the new cases that the old design can hold */
  readonly before?: SystemCases;
  readonly migration?: DefinedMigration;
  /** What the constructs synthesize for the beginning, and for each step. */
  readonly templates: Templates;
}

/** A CloudFormation template, or a stack of Terraform JSON. */
type Template = TemplateJson | TerraformJson;

export interface Templates {
  deployed(lock: Lock): Promise<Template>;
  at(step: string, lock: Lock, plan: Plan): Promise<Template>;
}

/** One phase that was run, with its outcome. */
export interface PhaseProof {
  readonly step: string;
  /** How often a pattern looked for an item. */
  readonly reads: number;
  /** How often a release wrote while the phase ran. */
  readonly writes: number;
  /** How many cases of either design were proved. */
  readonly cases: number;
  /** What would be lost, hidden or broken. @default - nothing */
  readonly failure?: string;
  /** Patterns that this engine does not serve, with the reason: they were not called. @default - none */
  readonly unproved?: Readonly<Record<string, string>>;
}

/**
 * Carries a plan out on a database of its own: every deployment runs on a strict double, or on Azurite, with stored items, with
 * releases that read and write meanwhile, and with the cases of both designs wherever they must hold. Ends with the first phase
 * that fails.
 */
export async function* provePlan(engine: Engine | AzureEngine, input: PlanProofInput): AsyncIterable<PhaseProof> {
  const isAzure = 'cloud' in engine;
  if (isAzure !== (input.plan.cloud === 'azure')) {
    throw new Error(`the plan is for the cloud '${input.plan.cloud}', but the engine ${engine.name} is for another`);
  }
  const unserved = await unservedBy(engine, [designOf(input.lock), withEdits(input.design, input.plan.edits)]);
  const unproved = unserved.size === 0 ? {} : { unproved: Object.fromEntries(unserved) };
  const shadow = new Shadow(engine, input, unserved);
  try {
    const failure = await failureOf(() => shadow.begin());
    if (failure !== undefined) {
      yield { step: 'deployed', ...shadow.tally(), ...unproved, failure };
      return;
    }
    for (const phase of shadow.plan.phases) {
      const failed = await failureOf(() => shadow.run(phase));
      yield { step: phase.step, ...shadow.tally(), ...unproved, ...(failed === undefined ? {} : { failure: failed }) };
      if (failed !== undefined) return;
    }
    const wrong = await failureOf(() => shadow.end());
    if (wrong !== undefined) yield { step: 'the end', ...shadow.tally(), ...unproved, failure: wrong };
  } finally {
    await shadow.ground.end().catch(() => undefined);
  }
}

/** What went wrong, whether it was returned or thrown. */
async function failureOf(attempt: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await attempt();
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'Error' ? message : `${name}: ${message}`;
  }
}

class Shadow {
  public readonly plan: Plan;
  private readonly system: SystemDesign;
  private readonly migration: Migration;
  private readonly model: Model;
  private readonly releases: ReleasesOf;
  private readonly old: Release;
  public readonly ground: Ground;
  private lock: Lock;
  private count = { reads: 0, writes: 0, cases: 0 };
  /** The running releases; the old one counts as running until it is certain to be gone. */
  private running: readonly Release[];

  public constructor(
    engine: Engine | AzureEngine,
    private readonly input: PlanProofInput,
    private readonly unserved: Unserved,
  ) {
    const { plan, lock } = withoutNames(input.plan, originOf(input.lock));
    this.plan = plan;
    this.lock = lock;
    this.system = withEdits(input.design, plan.edits);
    const before = designOf(lock);
    const isAzure = 'cloud' in engine;
    this.migration = migrationFor(plan, lock, this.system, input.migration, isAzure ? readEntity : undefined);
    this.model = new Model(before, this.system, plan.items, this.migration);
    this.ground = (
      isAzure
        ? azureGround(engine, this.migration)
        : dynamoGround(strictDouble(engine, unserved.size > 0), lock.environment, before, this.system)
    ) as Ground;
    const { migration } = input;
    this.releases = {
      plan,
      lock,
      before,
      system: this.system,
      ground: this.ground,
      ...(migration && { migration }),
    };
    this.old = oldRelease(this.releases);
    this.running = [this.old];
  }

  /** The counts since the last call. */
  public tally(): Pick<PhaseProof, 'reads' | 'writes' | 'cases'> {
    const counted = this.count;
    this.count = { reads: 0, writes: 0, cases: 0 };
    return counted;
  }

  /** Deploys what the lock says, and stores the items of the old cases. */
  public async begin(): Promise<string | undefined> {
    await this.ground.deploy((await this.input.templates.deployed(this.lock)) as never);
    this.ground.settle();
    const held = new Map<string, Held[]>();
    for (const { table, entity, values, item, label } of seedsOf(this.input, this.releases)) {
      this.model.addOld(table, entity, values, label).isSeed = true;
      held.set(table, [...(held.get(table) ?? []), this.ground.held(table, item)]);
    }
    for (const [table, items] of held) await this.ground.restore(table, items);
    if (this.model.items.length === 0) return 'there are no items to carry over: give the old design cases with items';
    return (await this.check([this.old])) ?? this.prove([this.old]);
  }

  public async run(phase: Phase): Promise<string | undefined> {
    const { step, kind } = phase;
    this.model.touched.clear();
    await this.ground.deploy((await this.input.templates.at(step, this.lock, this.plan)) as never);
    // During the rollout, the release before still runs.
    const own = phase.code.reads === 'old' ? this.old : releaseAt(this.releases, phase);
    const before = this.running.filter((release) => release !== own);
    const mixed = [...before, own];
    const failure =
      (await this.work(mixed, `${step}-`)) ??
      (await this.items(phase, mixed)) ??
      (await this.check(
        mixed,
        this.model.items.filter((item) => item.isSeed || this.model.touched.has(item)),
      ));
    if (failure !== undefined) return failure;
    this.ground.settle();
    // Old instances are gone once the plan has waited for them, or at the latest once the new release is everywhere.
    const isOldGone = kind === 'drain' || kind === 'switch' || kind === 'contract' || !before.includes(this.old);
    this.running = isOldGone ? [own] : [...new Set([this.old, own])];
    const after = (await this.check(this.running)) ?? (await this.prove(this.running, phase));
    if (after !== undefined) return after;
    this.lock = lockAfter(this.plan, this.lock, step, this.system);
    return undefined;
  }

  /** Checks that in the end only items of the new design are stored, and all of them. */
  public async end(): Promise<string | undefined> {
    const tables = Object.keys(this.system.tables);
    const left = await leftOver(this.ground, this.migration, 'clean', tables);
    if (left !== undefined) return left;
    let stored = 0;
    for (const table of tables) stored += (await this.ground.items(table)).length;
    const expected = this.model.items.filter(({ now }) => now !== undefined).length;
    if (stored !== expected) return `${stored} items are stored, but there should be ${expected}`;
    return tables.map((table) => this.ground.faultOf(table, this.system)).find((fault) => fault !== undefined);
  }

  /** Does what the phase does to stored items, while the running releases write. */
  private async items({ step, items }: Phase, running: readonly Release[]): Promise<string | undefined> {
    if (items === undefined) return undefined;
    if (items === 'verify')
      return leftOver(
        this.ground,
        this.migration,
        'fill',
        this.migration.verified.filter((table) => this.ground.isThere(table)),
      );
    const failure = await carryOut(this.ground, this.migration, items, () => this.work(running, `${step}-m`));
    if (failure !== undefined) return failure;
    if (items === 'fill') this.model.filled();
    else for (const item of [...this.model.items]) if (item.now === undefined) this.model.remove(item);
    return undefined;
  }

  private async work(releases: readonly Release[], tag: string): Promise<string | undefined> {
    for (const [i, release] of releases.entries()) {
      const { count, failure } = await work(release, this.model, `${tag}${i}`);
      this.count.writes += count;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** Checks that every pattern of every running release finds every item. */
  private async check(releases: readonly Release[], items = this.model.items): Promise<string | undefined> {
    for (const release of releases) {
      const reader = new Reader(release.calls);
      for (const item of items) {
        const known = item[release.side];
        if (release.side === 'now' && item.fault !== undefined) return `${item.label}: ${item.fault}`;
        if (known === undefined) continue;
        for (const way of waysTo(known)) {
          if (!release.may(way.pattern) || this.unserved.has(way.pattern)) continue;
          this.count.reads++;
          const fault = await reader.faultOf(known, way);
          if (fault !== undefined) return `${item.label}: ${fault} (${release.name})`;
        }
      }
    }
    return undefined;
  }

  /** Proves the cases of every running release. */
  private async prove(releases: readonly Release[], phase?: Phase): Promise<string | undefined> {
    const tables = [...new Set([...Object.keys(this.system.tables), ...Object.keys(this.lock.tables)])];
    const there = tables.filter((table) => this.ground.isThere(table));
    for (const release of releases) {
      const { count, failure } = await casesAt(
        release,
        phase,
        this.input,
        this.releases,
        this.model,
        this.ground,
        there,
        this.unserved,
      );
      this.count.cases += count;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }
}

/** The plan and the lock without names and ids of deployed tables, since the proof makes its own from scratch. */
function withoutNames(plan: Plan, lock: Lock): { readonly plan: Plan; readonly lock: Lock } {
  const bare = <T extends { physicalName?: string; logicalId?: string; type?: string }>({
    physicalName: _,
    logicalId: __,
    type: ___,
    ...rest
  }: T) => rest;
  const { hash: _, ...locked } = lock;
  const tables = Object.entries(lock.tables).map(([name, table]) => [
    name,
    { ...table, resources: bare(table.resources) },
  ]);
  const next: Lock = signed({ ...locked, tables: Object.fromEntries(tables) });
  if (isDeepStrictEqual(next, lock)) return { plan, lock };
  const { hash: __, ...planned } = plan;
  const phases = plan.phases.map((phase) => ({
    ...phase,
    resources: Object.fromEntries(Object.entries(phase.resources).map(([name, resources]) => [name, bare(resources)])),
  }));
  return { plan: signed({ ...planned, from: next.hash, phases }), lock: next };
}
