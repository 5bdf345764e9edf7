import { suggestion } from '../../lib/design/names';
import { systemOf } from '../../lib/evolve/lock/make';
import { replacePublic } from '../../lib/files/write';
import { readArguments } from './arguments';
import { type Command, UsageError } from './command';
import { DEMO, type Design, designsNamed } from './designs';
import { assertFolder } from './output';

type Writer = (design: Design) => Promise<string>;

/** The formats that only DynamoDB tools read. */
const OF_DYNAMODB: ReadonlySet<string> = new Set(['workbench', 'aws-model']);

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Each format's code is loaded only when that format is written. */
const WRITERS: Readonly<Record<string, Writer>> = {
  workbench: async (design) => json((await import('../../lib/export/workbench')).toWorkbench(design)),
  'aws-model': async (design) => json((await import('../../lib/export/aws-model')).toAwsModel(design)),
  'json-schema': async (design) => json((await import('../../lib/export/json-schema')).toJsonSchema(design)),
  markdown: async (design) => {
    const { assertShowable } = await import('./explored');
    assertShowable(design);
    const { explore } = await import('../../lib/explore/system');
    const { markdownOf } = await import('../../lib/explore/draw/markdown');
    return markdownOf(explore(systemOf(design)).view);
  },
};

export const to: Command = {
  usage: 'workbench|aws-model|markdown|json-schema [design or file] [--demo] [--output file]',
  summary: "writes a design in another tool's format",
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { ...DEMO, output: { type: 'string' } });
    const [format, ...names] = positionals;
    const known = Object.keys(WRITERS);
    if (format === undefined) throw new UsageError(`choose the format to write: ${known.join(', ')}`);
    const write = Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined;
    if (write === undefined)
      throw new UsageError(`'${format}' is not a format that 'tablewright to' can write; ${suggestion(format, known)}`);
    assertFolder('--output', values.output);
    const designs = await designsNamed(names, values.demo);
    const [design, ...more] = designs;
    if (design === undefined || more.length > 0)
      throw new UsageError(
        `'to ${format}' writes one design; choose one of ${designs.map(({ name }) => name).join(', ')}`,
      );
    if (OF_DYNAMODB.has(format) && systemOf(design).cloud === 'azure')
      throw new UsageError(
        `'to ${format}' writes DynamoDB tables, but '${design.name}' is designed for Azure; write markdown or json-schema instead`,
      );
    const text = await write(design);
    terminal.report({
      format,
      design: design.name,
      ...(values.output === undefined ? { text } : { file: values.output }),
    });
    if (values.output === undefined) terminal.text(text.trimEnd());
    else {
      await replacePublic(values.output, text);
      terminal.line(`${values.output}: written`);
    }
    return 0;
  },
};
