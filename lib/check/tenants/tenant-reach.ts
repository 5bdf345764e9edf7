import { attributeAt } from '../../blueprint/attributes/facts';
import { commonOf, except, partOf } from '../../blueprint/languages/common';
import { keysOf } from '../../blueprint/languages/keys';
import {
  ANY,
  either,
  type Language,
  languageOf,
  many,
  nothing,
  one,
  type Piece,
  text,
} from '../../blueprint/languages/language';
import { valuesOf } from '../../blueprint/languages/values';
import { leadingParts } from '../../blueprint/leading-key';
import { blueprint, factsIn, type KeySource } from '../../blueprint/table';
import { type TenantPart, type TenantSystem, tenantAttribute } from '../../blueprint/tenant';
import type { Part } from '../../design/template';

/** A key that a tenant reaches, and the tenant that owns the key, if any. */
export interface Trespass {
  readonly tenant: string;
  readonly key: string;
  readonly owner?: string;
}

/** The keys that tenants reach if a policy limits each tenant to the partition keys that contain its tenant id. */
export class TenantReach {
  private readonly ids: Piece;

  public constructor(
    private readonly granted: TenantPart,
    private readonly separator: string,
    system: TenantSystem,
  ) {
    this.ids = idsIn(system, granted, separator);
  }

  /** Finds a key of an entity that a tenant reaches but does not own. Returns `unknown` if the search takes too long. */
  public into(source: KeySource, tenant: Part | undefined): Trespass | 'unknown' | undefined {
    const { template, natural } = source;
    // A formatted tenant id looks different in the key, so the key does not show the id itself.
    const owner = tenant?.format === undefined ? tenant : undefined;
    const facts = (part: Part) => factsIn(source, part);
    const space = { separator: this.separator, natural, facts };
    const find = (ids: Piece, owners: Piece): Trespass | 'unknown' | undefined => {
      const [who, whose] = [partOf(ids), partOf(owners)];
      const theirs = keysOf(template, { ...space, given: (part) => (part === owner ? whose.piece : undefined) });
      const common = commonOf(this.reached(who.piece), theirs);
      if (common === undefined || common === 'unknown') return common;
      const found = { tenant: common.within('first', who), key: common.text };
      return owner === undefined ? found : { ...found, owner: common.within('second', whose) };
    };
    const owners = owner === undefined ? nothing : valuesOf(facts(owner), space);
    const first = find(this.ids, owners);
    if (first === undefined || first === 'unknown' || first.tenant !== first.owner) return first;
    // The first key belongs to the tenant itself, so the search continues: first for other owners' keys that this
    // tenant reaches, then for keys that other tenants reach.
    const { tenant: same } = first;
    const other = find(text(same), except(same, owners)) ?? find(except(same, this.ids), owners);
    return other !== undefined && other !== 'unknown' && other.tenant === other.owner ? 'unknown' : other;
  }

  private reached(ids: Piece): Language {
    const { partition, part: ours } = this.granted;
    return languageOf(
      leadingParts(partition, ours).map((part) => {
        if (typeof part === 'object') return text(part.text);
        return part === 'tenant' ? ids : part === 'one' ? one(ANY) : either(nothing, many(ANY));
      }),
    );
  }
}

/**
 * Every id that a tenant can have, according to the entities of the whole system. Includes the empty string, because a
 * session's tag may be empty.
 */
function idsIn({ tables, tenant }: TenantSystem, { natural }: TenantPart, separator: string): Piece {
  const pieces = new Map<string, Piece>();
  for (const entity of Object.values(tables).flatMap((table) => blueprint(table).entities)) {
    const path = tenantAttribute(entity, tenant);
    if (path === undefined) continue;
    const facts = attributeAt(entity.schema, path);
    const { optional: _, ...known } = facts ?? { optional: false };
    pieces.set(JSON.stringify(known), valuesOf(facts, { separator, natural }));
  }
  return either(nothing, ...pieces.values());
}
