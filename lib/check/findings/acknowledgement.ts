import type { TableDesign } from '../../design/table';
import type { TableUnderCheck } from '../table-under-check';
import type { Finding, FindingOf, Rule } from './finding';

/** A design's open findings and its acknowledged findings. */
export interface Review {
  readonly findings: readonly Finding[];
  readonly acknowledged: readonly Acknowledged[];
}

export type Acknowledged = Finding & { readonly reason: string };

const causes = {
  idle: 'an acknowledgement matches no finding',
  'no-reason': 'an acknowledgement gives no reason',
} as const;

export const acknowledgement: Rule<'acknowledgement', keyof typeof causes> = {
  id: 'acknowledgement',
  severity: 'warning',
  why: 'An acknowledgement that matches no finding would hide the next mistake in the same place, and an acknowledgement without a reason explains nothing.',
  causes,
};

/**
 * Separates acknowledged findings from open ones, and reports acknowledgements that match no finding or give no reason.
 */
export function acknowledge(
  design: Pick<TableDesign, 'acknowledge'>,
  found: readonly Finding[],
  isSkipped: (rule: string) => boolean,
): Review {
  const used = new Set<string>();
  const findings: Finding[] = [];
  const acknowledged: Acknowledged[] = [];
  for (const finding of found) {
    const places = Object.entries(design.acknowledge?.[finding.rule] ?? {});
    const match = places.find(([place]) => finding.path === place || finding.path.startsWith(`${place}.`));
    if (match === undefined) {
      findings.push(finding);
      continue;
    }
    const [place, reason] = match;
    used.add(`${finding.rule} ${place}`);
    acknowledged.push({ ...finding, reason });
  }
  return { findings: [...findings, ...idle(design, used, isSkipped)], acknowledged };
}

function* idle(
  design: Pick<TableDesign, 'acknowledge'>,
  used: ReadonlySet<string>,
  isSkipped: (rule: string) => boolean,
): Iterable<FindingOf<'acknowledgement'>> {
  for (const [rule, places] of Object.entries(design.acknowledge ?? {})) {
    if (isSkipped(rule)) continue;
    for (const [place, reason] of Object.entries(places)) {
      const path = `acknowledge.${rule}.${place}`;
      const { id, severity } = acknowledgement;
      const finding = {
        rule: id,
        severity,
        path,
        subject: { kind: 'acknowledgement', name: rule, field: place },
      } as const;
      if (!used.has(`${rule} ${place}`)) {
        const fix = 'remove this acknowledgement, or correct its rule or place';
        yield { ...finding, cause: 'idle', message: 'this acknowledgement matches no finding', fix, edits: [{ path }] };
      } else if (reason.trim() === '') {
        yield {
          ...finding,
          cause: 'no-reason',
          message: 'this acknowledgement gives no reason',
          fix: 'write why the finding is acceptable',
        };
      }
    }
  }
}

/**
 * Whether a rule did not run. If so, the check ignores acknowledgements of the rule. Some rules run only for a table in
 * a system, some only on Azure, and one depends on the load.
 */
export function isSkipped(
  rule: string,
  { system, cloud, load = {} }: Partial<Pick<TableUnderCheck, 'system' | 'cloud' | 'load'>>,
): boolean {
  if (rule === 'hot-partition') return Object.keys(load).length > 0;
  if (rule === 'tenant-unscoped' || rule === 'tenant-leak') return system === undefined;
  return rule.startsWith('azure-') && cloud !== 'azure';
}
