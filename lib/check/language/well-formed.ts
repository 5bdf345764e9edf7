import { isObject } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Review } from '../findings/acknowledgement';
import type { Finding } from '../findings/finding';
import { malformed, malformedDesign } from './malformed';
import { unreadable } from './unreadable';

/** Throws a `DesignError` with every reason why a value is not a design. */
export function assertDesign(design: unknown): void {
  let found: Review | undefined;
  try {
    found = reviewShape(design as TableDesign | SystemDesign);
  } catch (error) {
    found = unreadable(design, error);
  }
  if (found !== undefined) throw new DesignError(design as TableDesign | SystemDesign, found.findings);
}

/** Thrown if a design has errors. The message lists all of them. */
export class DesignError extends Error {
  public override readonly name = 'DesignError';
  public readonly findings: readonly Finding[];

  public constructor(design: TableDesign | SystemDesign, findings: readonly Finding[]) {
    const what =
      findings.some(({ subject }) => subject.kind === 'system') || isReadableSystem(design) ? 'system' : 'table';
    const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`;
    const which = isObject(design) ? `${what} design '${nameOf(design)}'` : 'the design';
    super([`${which} has ${count}`, ...findings.map(describe)].join('\n'));
    this.findings = findings;
    // Node prints the enumerable fields of an uncaught error after the message, which already lists the findings.
    Object.defineProperty(this, 'findings', { enumerable: false });
  }
}

/** Formats a finding as two lines: the place and the message, then the fix. */
export function describe({ path, message, fix, rule }: Finding): string {
  return `  ${path}: ${message}\n    fix: ${fix}   [${rule}]`;
}

/**
 * Returns a review if a value does not have the shape of a design. Any further finding about such a value would be a
 * guess.
 */
export function reviewShape(design: TableDesign | SystemDesign): Review | undefined {
  const found = malformed(design);
  if (found.length === 0) return undefined;
  const { id, severity } = malformedDesign;
  const findings = found.map((fault): Finding => ({ rule: id, severity, ...fault }));
  return { findings, acknowledged: [] };
}

export function isSystem(design: TableDesign | SystemDesign): design is SystemDesign {
  return typeof design === 'object' && design !== null && 'tables' in design;
}

/** Like `isSystem`, for a design that may throw when it is read. */
function isReadableSystem(design: TableDesign | SystemDesign): boolean {
  try {
    return isSystem(design);
  } catch {
    return false;
  }
}

function nameOf(design: TableDesign | SystemDesign): string {
  try {
    return String(design.name);
  } catch {
    return '?';
  }
}
