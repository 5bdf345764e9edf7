import { relative } from 'node:path';
import { type Finding, type Review, review } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { readArguments, readChoice } from './arguments';
import type { Command, Terminal } from './command';
import { DEMO, sourcesNamed } from './designs';
import { escaped, property } from './github';

export const check: Command = {
  usage: '[design or file …] [--demo] [--portability azure] [--format text|json|github]',
  summary: 'what is wrong or doubtful in a design; exit code 1 on an error',
  async run(args, terminal) {
    const options = { ...DEMO, format: { type: 'string' }, portability: { type: 'string' } } as const;
    const { values, positionals } = readArguments(args, options);
    const format = readChoice('--format', values.format, ['text', 'json', 'github']);
    const portability =
      values.portability === undefined
        ? {}
        : { portability: readChoice('--portability', values.portability, ['azure']) };
    const reviews = (await sourcesNamed(positionals, values.demo)).flatMap(({ file, designs }) =>
      designs.map((design) => ({
        design: String(design.name),
        file,
        ...review(design, { ...portability, notes: true }),
      })),
    );
    PRINTERS[format](reviews, terminal);
    return reviews.some(({ findings }) => findings.some(({ severity }) => severity === 'error')) ? 1 : 0;
  },
};

type Reviewed = Review & { readonly design: string; readonly file?: string };

const STYLES = { error: 'red', warning: 'yellow', note: 'green' } as const;

const PRINTERS: Readonly<
  Record<'text' | 'json' | 'github', (reviews: readonly Reviewed[], terminal: Terminal) => void>
> = {
  text(reviews, terminal) {
    for (const reviewed of reviews) {
      terminal.line(`${reviewed.design}: ${summary([reviewed])}`);
      for (const { severity, path, message, fix, rule } of reviewed.findings) {
        const style = STYLES[severity];
        terminal.line('  ', { style, text: severity }, ` ${path}: ${message}`);
        terminal.line(`    fix: ${fix}   [${rule}]`);
      }
    }
    terminal.line(total(reviews));
  },
  json(reviews, terminal) {
    terminal.json(reviews.map(({ file: _, ...reviewed }) => reviewed));
  },
  github(reviews, terminal) {
    for (const { design, file, findings } of reviews) {
      // A design does not know its line, so the annotation goes to the top of its file.
      const place = file === undefined ? '' : `file=${property(relative('.', file))},line=1,`;
      for (const { severity, rule, path, message, fix } of findings) {
        terminal.line(
          `::${severity === 'note' ? 'notice' : severity} ${place}title=${property(rule)}::${escaped(`${design}: ${path}: ${message}\nfix: ${fix}`)}`,
        );
      }
    }
    terminal.line(`::notice title=tablewright::${escaped(total(reviews))}`);
  },
};

function total(reviews: readonly Reviewed[]): string {
  return `${counted(reviews.length, 'design')} checked: ${summary(reviews)}`;
}

function summary(reviews: readonly Reviewed[]): string {
  const found = reviews.flatMap(({ findings }) => findings);
  const count = (severity: Finding['severity']) =>
    counted(found.filter((finding) => finding.severity === severity).length, severity);
  const acknowledged = reviews.reduce((sum, reviewed) => sum + reviewed.acknowledged.length, 0);
  const notes = found.some(({ severity }) => severity === 'note') ? `${count('note')}, ` : '';
  return `${count('error')}, ${count('warning')}, ${notes}${acknowledged} acknowledged`;
}
