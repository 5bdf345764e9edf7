import { isDeepStrictEqual } from 'node:util';
import { readEntity } from '../../azure-tables/entity';
import type { TerraformJson } from '../../azure-tables/terraform';
import { outline } from '../../blueprint/outline';
import type { PhysicalTables } from '../../blueprint/physical-table';
import { namesIn } from '../../blueprint/system';
import type { SystemDesign } from '../../design/system';
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
import { assertDeployed, hasCode } from '../../evolve/lock/code';
import { tablesOfLock } from '../../evolve/plan/waves';
import type { SystemCases } from '../cases';
import type { AnyDatabase } from '../tables';
import { type Unserved, unservedBy } from '../unserved';
import { carryOut, leftOver } from './carry-out';
import { casesAt } from './cases-at';
import { Deployment } from './deployment';
import { guardedBy, misguarded, unguarded } from './guards';
import { type Known, type Logical, Model } from './model';
import { withoutNames } from './nameless';
import { takenFrom } from './permissions';
import { isSameWay, latePatterns, Reader, type Way, waysTo } from './reach';
import { oldRelease, type ReleasesOf, releaseAt } from './releases';
import { abandoned, casesWithEdits, stocked, unchangedBy } from './seeds';
import { strictDatabase } from './strict';
import { withoutClaims } from './unclaimed';
import { type Release, work } from './writers';

export interface PlanProofInput {
  readonly plan: Plan;
  readonly lock: Lock;
  readonly design: SystemDesign;
  /** The cases of the new design. @default - the proof relies on derived requests alone */
  readonly cases?: SystemCases;
  /**
   * The deployed design with its code, for the release that runs when the plan begins.
   * @default - the design that the lock describes
   */
  readonly deployed?: SystemDesign;
  /** The cases of the deployed design. @default - the items of the new cases that the old design can store */
  readonly before?: SystemCases;
  readonly migration?: DefinedMigration;
  /** The templates of the deployed tables, and of the tables at each step. */
  readonly templates: Templates;
}

/** A CloudFormation template, or a stack of Terraform JSON. */
type Template = TemplateJson | TerraformJson;

export interface Templates {
  deployed(lock: Lock): Promise<Template>;
  at(step: string, lock: Lock, plan: Plan): Promise<Template>;
}

/** The outcome of one phase. */
export interface PhaseProof {
  readonly step: string;
  /** The number of reads that looked for an item. */
  readonly reads: number;
  /** The number of writes that releases sent while the phase ran. */
  readonly writes: number;
  /** The number of proved cases of both designs. */
  readonly cases: number;
  /** The data or behavior that the plan would lose, hide or break. @default - nothing */
  readonly failure?: string;
  /** What the phase could not prove for a running release: patterns and data, each with the reason. @default - none */
  readonly unproved?: Readonly<Record<string, string>>;
}

/**
 * Carries out a plan on Azurite, or on a separate database that is as strict as DynamoDB. Releases read and write
 * during every deployment, and the cases of both designs run whenever they must pass. Stops at the first phase that
 * fails.
 */
export async function* provePlan(database: AnyDatabase, input: PlanProofInput): AsyncIterable<PhaseProof> {
  if (database.cloud !== input.plan.cloud) {
    throw new Error(
      `the plan is for the cloud '${input.plan.cloud}', but the database ${database.name} is for '${database.cloud}'`,
    );
  }
  const unserved = await unservedBy(database, [designOf(input.lock), withEdits(input.design, input.plan.edits)]);
  const shadow = new Shadow(database, input, unserved);
  try {
    const failure = await failureOf(() => shadow.begin());
    if (failure !== undefined) {
      yield { step: 'deployed', ...shadow.tally(), failure };
      return;
    }
    for (const phase of shadow.plan.phases) {
      const failed = await failureOf(() => shadow.run(phase));
      yield { step: phase.step, ...shadow.tally(), ...(failed === undefined ? {} : { failure: failed }) };
      if (failed !== undefined) return;
    }
    const wrong = await failureOf(() => shadow.end());
    if (wrong !== undefined) yield { step: 'the end', ...shadow.tally(), failure: wrong };
  } finally {
    await shadow.deployment.stack.end().catch(() => undefined);
  }
}

/** Returns an attempt's failure, whether the attempt returns or throws it. */
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
  public readonly deployment: Deployment;
  private lock: Lock;
  private count = { reads: 0, writes: 0, cases: 0 };
  private unproved = new Map<string, string>();
  private readonly before: SystemCases | undefined;
  private readonly cases: SystemCases | undefined;
  /** Whether every stored item has the new form. */
  private isFilled = false;
  /** Whether stored items have changed since they were last verified. */
  private isUnverified = false;
  /** The tables after the last phase. */
  private tables: PhysicalTables;
  /** The running releases, including the old release until all its instances are certain to have stopped. */
  private running: readonly Release[];

  public constructor(
    database: AnyDatabase,
    private readonly input: PlanProofInput,
    private readonly unserved: Unserved,
  ) {
    const { plan, lock } = withoutNames(input.plan, originOf(input.lock));
    this.plan = plan;
    this.lock = lock;
    this.system = withEdits(input.design, plan.edits);
    const before = input.deployed ?? designOf(lock);
    this.before = input.before;
    this.cases = input.cases && casesWithEdits(input.cases, plan.edits);
    const isAzure = database.cloud === 'azure';
    this.migration = migrationFor(plan, lock, this.system, input.migration, isAzure ? readEntity : undefined);
    this.model = new Model(before, this.system, plan.items, this.migration, input.migration?.ups);
    const strict = isAzure ? database : strictDatabase(database, unserved.size > 0);
    this.deployment = new Deployment(strict, lock.environment, this.system, this.migration);
    const { migration } = input;
    this.releases = {
      plan,
      lock,
      before,
      system: this.system,
      deployment: this.deployment,
      ...(migration && { migration }),
    };
    this.old = oldRelease(this.releases);
    this.running = [this.old];
    this.tables = tablesOfLock(lock);
  }

  /** The counts since the last call, and the patterns and data that could not be proved. */
  public tally(): Omit<PhaseProof, 'step' | 'failure'> {
    const { count, unproved } = this;
    this.count = { reads: 0, writes: 0, cases: 0 };
    this.unproved = new Map();
    return { ...count, ...(unproved.size === 0 ? {} : { unproved: Object.fromEntries(unproved) }) };
  }

  /** Deploys the lock's tables, stores the old cases' items and their variants, and exercises the old release. */
  public async begin(): Promise<string | undefined> {
    const { model, deployment, releases } = this;
    assertDeployed(this.input.deployed, this.lock);
    await deployment.stack.deploy((await this.input.templates.deployed(this.lock)) as never);
    deployment.settle();
    const given = { ...(this.before && { before: this.before }), ...(this.cases && { cases: this.cases }) };
    for (const [table, items] of stocked(given, releases, model)) await deployment.restore(table, items);
    if (model.items.length === 0) return 'there are no items to carry over: add cases with items for the old design';
    const failure =
      abandoned(model, this.system, this.cases) ??
      (await this.work([this.old], 'before-')) ??
      (await this.check([this.old])) ??
      (await this.prove([this.old]));
    this.unproved.clear();
    return failure;
  }

  public async run(phase: Phase): Promise<string | undefined> {
    const { step, kind } = phase;
    this.model.touched.clear();
    this.model.deleted.length = 0;
    const own = this.ownOf(phase);
    // During the rollout, the previous release still runs.
    const before = this.running.filter((release) => release !== own);
    // The new release writes first, so that the previous release also changes what the new release has written.
    const mixed = [own, ...before];
    for (const release of mixed) release.called.clear();
    const isChanged = !isDeepStrictEqual(phase.tables, this.tables);
    this.tables = phase.tables;
    const failure =
      this.unready(phase) ??
      // A deployment may start the release before it has changed the tables.
      (isChanged && own !== this.old ? await this.work([own], `${step}-early`) : undefined) ??
      (await this.deploy(step)) ??
      (await this.work(mixed, `${step}-`)) ??
      (await this.items(phase, mixed)) ??
      (await this.check(
        mixed,
        phase,
        this.model.items.filter((item) => item.isSeed || this.model.touched.has(item)),
      )) ??
      takenFrom(mixed, phase, this.releases);
    if (failure !== undefined) return failure;
    this.deployment.settle();
    // Old instances have stopped after the drain or, at the latest, once the new release runs everywhere.
    const isOldGone = kind === 'drain' || kind === 'switch' || kind === 'contract' || !before.includes(this.old);
    this.running = isOldGone ? [own] : [...new Set([this.old, own])];
    const isNew = phase.code.reads === 'new';
    const after =
      (await this.check(this.running, phase)) ??
      (await this.prove(this.running, phase)) ??
      (isNew
        ? ((await unguarded(this.releases, this.model)) ?? (await misguarded(this.releases, this.model)))
        : undefined);
    if (after !== undefined) return after;
    this.lock = lockAfter(this.plan, this.lock, step, this.system);
    return undefined;
  }

  /** Returns the release of a phase. A drain deploys nothing, so the old release may stay. */
  private ownOf(phase: Phase): Release {
    const { kind, code } = phase;
    const isWaiting = kind === 'drain' && this.running.every((release) => release === this.old);
    return code.reads === 'old' || isWaiting ? this.old : releaseAt(this.releases, phase);
  }

  /** The reason why a phase must not begin yet; undefined if it may begin. */
  private unready({ step, code }: Phase): string | undefined {
    if (code.reads !== 'new' || !this.isUnverified) return undefined;
    return `the release of ${step} reads only the new form, but stored items have changed, and no phase has since verified that all of them have the new form`;
  }

  private async deploy(step: string): Promise<undefined> {
    await this.deployment.stack.deploy((await this.input.templates.at(step, this.lock, this.plan)) as never);
  }

  /** Checks that, in the end, the design's tables contain all items of the new design and nothing else. */
  public async end(): Promise<string | undefined> {
    const tables = Object.keys(this.system.tables);
    const left = await leftOver(this.deployment, this.migration, 'clean', tables);
    if (left !== undefined) return left;
    let stored = 0;
    for (const [name, design] of Object.entries(this.system.tables)) {
      const table = outline(design);
      stored += (await this.deployment.items(name)).filter(({ item }) => !guardedBy({ table, item })).length;
    }
    const expected = this.model.items.filter(({ now }) => now !== undefined).length;
    if (stored !== expected) return `${stored} items are stored, but there should be ${expected}`;
    const former = Object.keys(this.releases.lock.tables).filter((table) => !tables.includes(table));
    const extra = former.find((table) => this.deployment.isThere(table));
    if (extra !== undefined) return `table ${extra} still exists`;
    const fault = tables.map((table) => this.deployment.faultOf(table)).find((found) => found !== undefined);
    const last = this.running.find(({ code }) => code.reads !== 'new' || code.writes !== 'new');
    if (fault !== undefined || last === undefined) return fault;
    const [verb, form] = last.code.writes === 'new' ? ['reads', last.code.reads] : ['writes', last.code.writes];
    const shown = form === 'old' ? 'the old form' : 'both the old and the new form';
    return `the plan ends, but ${last.name} still runs and ${verb} ${shown}`;
  }

  /** Carries out the phase's changes to stored items while the running releases write. */
  private async items({ step, items }: Phase, running: readonly Release[]): Promise<string | undefined> {
    if (items === undefined) return undefined;
    const verified = this.migration.verified.filter((table) => this.deployment.isThere(table));
    if (items === 'verify') {
      const left = await leftOver(this.deployment, this.migration, 'fill', verified);
      this.isUnverified = left !== undefined;
      return left;
    }
    if (items === 'fill') {
      for (const [name, reason] of await unchangedBy(this.migration, this.releases)) this.unproved.set(name, reason);
    }
    let times = 0;
    // Uses a new tag each time, because a shared guard keeps blocking a value after the last item with that value is
    // gone.
    const between = () => this.work(running, `${step}-m${times++}`);
    const failure = await carryOut(this.deployment, this.migration, items, between);
    if (failure !== undefined) return failure;
    if (items === 'fill') {
      this.isFilled = true;
      this.isUnverified = true;
      this.model.filled();
      return undefined;
    }
    for (const item of [...this.model.items]) if (item.now === undefined) this.model.remove(item);
    // A release that still runs may write items that no later phase cleans up.
    return this.work(running, `${step}-late`);
  }

  private async work(releases: readonly Release[], tag: string): Promise<string | undefined> {
    for (const [i, release] of releases.entries()) {
      const { count, failure } = await work(release, this.model, `${tag}${i}`);
      this.count.writes += count;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** Checks that the patterns of every running release find all expected items, and no deleted items. */
  private async check(
    releases: readonly Release[],
    phase?: Phase,
    items = this.model.items,
  ): Promise<string | undefined> {
    const isComplete = this.isFilled || phase?.code.reads === 'new';
    for (const release of releases) {
      const reader = new Reader(release.calls);
      for (const item of items) {
        if (release.side === 'now' && item.fault !== undefined) return `${item.label}: ${item.fault}`;
        for (const way of this.waysOf(release, item, isComplete)) {
          this.count.reads++;
          const fault = await reader.faultOf(item[release.side] as Known, way);
          if (fault !== undefined) return `${item.label}: ${fault} (${release.name})`;
        }
      }
      for (const item of this.model.deleted) {
        for (const way of this.waysOf(release, item, true)) {
          this.count.reads++;
          const fault = await reader.ghostOf(item[release.side] as Known, way);
          if (fault !== undefined) return `${item.label}: ${fault} (${release.name})`;
        }
      }
    }
    return undefined;
  }

  /**
   * Returns the reads that must find an item: until the backfill is done, only those that the old design also has.
   */
  private waysOf(release: Release, item: Logical, isComplete: boolean): readonly Way[] {
    const known = item[release.side];
    if (known === undefined) return [];
    const former = isComplete || item.old === undefined ? undefined : waysTo(item.old);
    return waysTo(known).filter(
      (way) =>
        release.may(way.pattern) &&
        !this.unserved.has(way.pattern) &&
        (former === undefined || former.some((old) => isSameWay(old, way, this.model.hasDowns(item)))),
    );
  }

  /** Proves the cases of every running release, and notes the patterns that the release has not called. */
  private async prove(releases: readonly Release[], phase?: Phase): Promise<string | undefined> {
    const { model, deployment, unserved } = this;
    const isComplete = this.isFilled || phase?.code.reads === 'new';
    const all = [...new Set([...Object.keys(this.system.tables), ...Object.keys(this.lock.tables)])];
    const tables = all.filter((table) => deployment.isThere(table));
    for (const release of releases) {
      const isOld = release.side === 'old';
      const [system, cases] = isOld ? [this.releases.before, this.before] : [this.system, this.cases];
      let skipped: ReadonlyMap<string, string> = new Map();
      if (cases !== undefined) {
        const late = isOld || isComplete ? new Set<string>() : latePatterns(model);
        const claimed = isOld || isComplete ? cases : withoutClaims(cases, this.releases);
        const proofs = await casesAt(release, { system, cases: claimed, model, deployment, tables, unserved, late });
        this.count.cases += proofs.count;
        if (proofs.failure !== undefined) return proofs.failure;
        skipped = proofs.skipped;
      }
      const none = isOld
        ? 'there are no cases for the deployed design; pass them with --before'
        : 'there are no cases for the new design';
      for (const name of namesIn(system)) {
        const isProcedure = Object.hasOwn(system.procedures ?? {}, name);
        if (isProcedure || !release.may(name) || release.called.has(name)) continue;
        const reason = unserved.get(name) ?? skipped.get(name) ?? (cases === undefined ? none : 'it has no case');
        this.unproved.set(name, `${release.name}: ${reason}`);
      }
    }
    if (this.input.deployed === undefined && releases.includes(this.old) && hasCode(this.lock))
      this.unproved.set(
        'the deployed design',
        'the lock does not contain the code in the schemas; record the lock from the design file',
      );
    return undefined;
  }
}
