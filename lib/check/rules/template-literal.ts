import type { Template } from '../../design/template';
import type { Found, Place, TableRule } from '../findings/finding';
import { type About, atKey, atWhere } from '../findings/place';
import { boundsOf } from '../table-under-check';

const causes = {
  'dollar-braces': 'a part has a dollar sign and braces, as in a JavaScript template literal',
} as const;

type Cause = keyof typeof causes;

export const templateLiteral: TableRule<'template-literal', Cause> = {
  id: 'template-literal',
  severity: 'error',
  why: "Tablewright replaces parts of the form `<name>`, but copies JavaScript's template literal notation unchanged into every key.",
  causes,
  *check(table) {
    for (const source of table.sources) yield* inTemplate(source.template, (about) => atKey(source, about));
    for (const access of table.accesses) {
      for (const [attribute, bound] of boundsOf(access))
        yield* inTemplate(bound, (about) => atWhere(access, attribute, about));
    }
  },
};

function* inTemplate({ text }: Template, place: (about: About) => Place): Iterable<Found<Cause>> {
  if (!text.includes('${')) return;
  const mended = text.replaceAll(/\$\{\s*([\w.]+)\s*\}/g, '<$1>');
  const proposed = mended === text ? undefined : mended;
  const fix = proposed === undefined ? 'write parts as <name>' : `write '${proposed}'`;
  const message = `'${text}': Tablewright does not fill in \${…}`;
  const at = place({ proposed });
  const edits = proposed === undefined ? {} : { edits: [{ path: at.path, replace: [text, proposed] as const }] };
  yield { ...at, cause: 'dollar-braces', message, fix, ...edits };
}
