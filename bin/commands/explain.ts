import { type Rule, rules } from '../../lib/check';
import { suggestion } from '../../lib/design/names';
import { type Explanation, explain as explained, type Line } from '../../lib/explain';
import { readArguments, readChoice } from './arguments';
import { columns } from './columns';
import { type Command, type Shown, type Terminal, UsageError } from './command';

export const explain: Command = {
  usage: '[rule] [--format text|json]',
  summary: 'explains a rule of the check, with an example and its fix',
  run(args, terminal) {
    const { values, positionals } = readArguments(args, { format: { type: 'string' } });
    const format = readChoice('--format', values.format, ['text', 'json']);
    const [id, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`name one rule, got: ${positionals.join(', ')}`);
    if (id === undefined) list(format, terminal);
    else show(ruleNamed(id), format, terminal);
    return 0;
  },
};

function ruleNamed(id: string): Explanation {
  const found = explained(id);
  if (found !== undefined) return found;
  const known = rules.map((rule) => rule.id);
  throw new UsageError(`'${id}' is not a rule; ${suggestion(id, known)}`);
}

function list(format: 'text' | 'json', terminal: Terminal): void {
  const described = rules.map(({ id, severity, why, causes }): Rule => ({ id, severity, why, causes }));
  if (format === 'json') terminal.json(described);
  else for (const row of columns(described.map(({ id, severity, why }) => [id, severity, why]))) terminal.line(row);
}

function show(explanation: Explanation, format: 'text' | 'json', terminal: Terminal): void {
  const { id, severity, why, causes, changes, findings, broken, mended } = explanation;
  if (format === 'json') {
    const example = { broken: broken.join('\n'), mended: mended.join('\n'), findings };
    terminal.json({ id, severity, why, causes, example });
    return;
  }
  terminal.line({ style: 'bold', text: id }, ` (${severity})`);
  terminal.line(why);
  terminal.line('');
  terminal.line('Causes:');
  for (const row of columns(Object.entries(causes))) terminal.line(`  ${row}`);
  terminal.line('');
  terminal.line('An example, with what is wrong (-) and the fix (+):');
  for (const line of changes) terminal.line(marked(line));
  terminal.line('');
  terminal.line('What the check says about it:');
  for (const { path, message, fix } of findings) {
    terminal.line(`  ${path}: ${message}`);
    terminal.line(`    fix: ${fix}`);
  }
}

function marked({ in: where, text }: Line): Shown {
  if (where === 'both') return `  ${text}`;
  return where === 'before' ? { style: 'red', text: `- ${text}` } : { style: 'green', text: `+ ${text}` };
}
