import { listPrices, PRICES } from '../../lib/costs/prices';

/** An acceptance test and its result. */
export interface Trial {
  readonly part: 'deploy' | 'proof' | 'roles' | 'plan' | 'destroy';
  readonly name: string;
  readonly result: 'ok' | 'FAILED' | 'left out';
  readonly detail?: string;
}

export interface Report {
  readonly name: string;
  readonly system: string;
  readonly where: string;
  readonly began: Date;
  readonly ended: Date;
  readonly trials: readonly Trial[];
  /** The capacity that all requests consumed. */
  readonly units: number;
}

export function isAccepted({ trials }: Pick<Report, 'trials'>): boolean {
  return trials.every(({ result }) => result !== 'FAILED');
}

/** Returns the report as a Markdown page, which users can commit. */
export function pageOf(report: Report): string {
  const { name, system, where, began, ended, trials, units } = report;
  const seconds = Math.round((ended.getTime() - began.getTime()) / 1000);
  // Counts every unit as a write, the more expensive kind, so that the estimate is an upper bound.
  const cost = (units / 1e6) * PRICES.aws.writeUnitsMillion;
  const count = (result: Trial['result']) => trials.filter((trial) => trial.result === result).length;
  const rows = trials.map(
    ({ part, name: tried, result, detail = '' }) => `| ${part} | ${tried} | ${result} | ${cell(detail)} |`,
  );
  return [
    `# Acceptance of ${system}, ${began.toISOString().slice(0, 10)}`,
    '',
    `- **Result**: ${isAccepted(report) ? 'accepted' : 'NOT accepted'}; ${count('ok')} ok, ${count('FAILED')} failed, ${count('left out')} left out`,
    `- **Where**: ${where}, as \`${name}\`, in ${seconds} seconds`,
    `- **Cost**: at most $${cost.toFixed(4)} for ${Math.ceil(units)} capacity units (${listPrices('aws')})`,
    `- **With**: Node ${process.versions.node}`,
    '',
    '| part | what | result | detail |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300);
}
