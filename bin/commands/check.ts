import {
  type PortabilityLine,
  portability as portabilityOf,
  sentenceOf,
} from '../../lib/azure-tables/equivalents/portability';
import { type Finding, type Review, review } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { systemOf } from '../../lib/evolve/lock/make';
import { readArguments, readChoice } from './arguments';
import { fixAll } from './check-fix';
import type { Command, Reported, Terminal } from './command';
import { DEMO, sourcesNamed } from './designs';
import { reportedOf } from './envelope';
import { annotatorOf, escaped, placesIn } from './github';
import { loadGiven } from './load';

const OPTIONS = {
  ...DEMO,
  format: { type: 'string' },
  portability: { type: 'string' },
  notes: { type: 'boolean' },
  load: { type: 'string' },
  fix: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export const check: Command = {
  usage:
    '[design or file …] [--demo] [--notes] [--load load.json] [--portability azure] [--format text|github] [--fix [--yes]]',
  summary: 'reports errors and warnings in a design; exit code 1 on an error',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const format = readChoice('--format', values.format, ['text', 'github']);
    if (values.portability !== undefined) readChoice('--portability', values.portability, ['azure']);
    const sources = await sourcesNamed(positionals, values.demo);
    const load = await loadGiven(
      sources.flatMap(({ designs }) => designs),
      values.load,
      positionals,
    );
    const options = load === undefined ? {} : { load };
    if (values.fix) return fixAll(sources, { notes: values.notes === true, ...options }, values.yes === true, terminal);
    const reviews = sources.flatMap(({ file, designs }) =>
      designs.map((design) => {
        const { findings, acknowledged } = review(design, { notes: true, ...options });
        const shown = findings.filter(({ severity }) => severity !== 'note' || values.notes);
        const hidden = findings.length - shown.length;
        // Differences on Azure can be derived only from a design without errors.
        const isAsked = values.portability !== undefined && findings.every(({ severity }) => severity !== 'error');
        const differences = isAsked ? portabilityOf(systemOf(design)).lines : [];
        return { design: String(design.name), file, findings: shown, acknowledged, hidden, differences };
      }),
    );
    PRINTERS[format](reviews, terminal);
    terminal.report({ designs: reviews.map(dataOf) }, reviews.flatMap(reportedIn));
    return reviews.some(({ findings }) => findings.some(({ severity }) => severity === 'error')) ? 1 : 0;
  },
};

/** The review of one design: its findings, the number of hidden notes, and the differences on Azure. */
type Reviewed = Review & {
  readonly design: string;
  readonly file?: string;
  readonly hidden: number;
  readonly differences: readonly PortabilityLine[];
};

const STYLES = { error: 'red', warning: 'yellow', note: 'green' } as const;

const PRINTERS: Readonly<Record<'text' | 'github', (reviews: readonly Reviewed[], terminal: Terminal) => void>> = {
  text(reviews, terminal) {
    for (const reviewed of reviews) {
      terminal.line(`${reviewed.design}: ${summary([reviewed])}`);
      for (const { severity, guess, path, message, fix, rule } of reviewed.findings) {
        const style = STYLES[severity];
        terminal.line('  ', { style, text: guess ? 'guess' : severity }, ` ${path}: ${message}`);
        terminal.line(`    fix: ${fix}   [${rule}]`);
      }
      for (const line of reviewed.differences) {
        terminal.line('  ', { style: STYLES.note, text: 'on Azure' }, ` ${sentenceOf(line)}`);
        terminal.line(`    ${line.fix}`);
      }
    }
    terminal.line(total(reviews));
  },
  github(reviews, terminal) {
    for (const { design, file, findings, differences } of reviews) {
      const annotate = annotatorOf(file);
      for (const { severity, rule, path, message, fix } of findings) {
        const level = severity === 'note' ? 'notice' : severity;
        terminal.line(annotate(level, design, path, rule, `${design}: ${path}: ${message}\nfix: ${fix}`));
      }
      for (const line of differences) {
        const text = `${design}: ${sentenceOf(line)}\n${line.fix}`;
        terminal.line(annotate('notice', design, line.paths[0] as string, 'portability', text));
      }
    }
    terminal.line(`::notice title=tablewright::${escaped(total(reviews))}`);
  },
};

/** Returns one design's result for `--json`; the findings themselves are reported separately. */
function dataOf({ design, findings, acknowledged, hidden, differences }: Reviewed) {
  const accepted = acknowledged.map(({ rule, path, reason }) => ({ code: rule, path, reason }));
  return {
    design,
    findings: findings.length,
    acknowledged: accepted,
    ...(hidden > 0 && { hiddenNotes: hidden }),
    ...(differences.length > 0 && { onAzure: differences }),
  };
}

function reportedIn({ design, file, findings }: Reviewed): readonly Reported[] {
  const placeOf = placesIn(file);
  return findings.map((finding) => reportedOf(finding, { design, ...placeOf(design, finding.path) }));
}

function total(reviews: readonly Reviewed[]): string {
  return `${counted(reviews.length, 'design')} checked: ${summary(reviews)}`;
}

function summary(reviews: readonly Reviewed[]): string {
  const found = reviews.flatMap(({ findings }) => findings);
  const count = (severity: Finding['severity']) =>
    counted(found.filter((finding) => finding.severity === severity).length, severity);
  const acknowledged = reviews.reduce((sum, reviewed) => sum + reviewed.acknowledged.length, 0);
  const hidden = reviews.reduce((sum, reviewed) => sum + reviewed.hidden, 0);
  const shown = found.some(({ severity }) => severity === 'note') ? [count('note')] : [];
  const notes = hidden > 0 ? [`${counted(hidden, 'note')} (--notes shows them)`] : shown;
  return [
    count('error'),
    count('warning'),
    ...notes,
    ...(acknowledged > 0 ? [`${acknowledged} acknowledged`] : []),
  ].join(', ');
}
