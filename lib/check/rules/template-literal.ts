import type { Template } from '../../design/template';
import type { Found, Rule } from '../finding';
import { boundsOf } from '../subject';

export const templateLiteral: Rule = {
  id: 'template-literal',
  severity: 'error',
  why: 'A part is written <name>; what is written as in JavaScript is nothing but text, the same in every key.',
  *check({ plan, accesses }) {
    for (const { path, template } of plan.sources) yield* inTemplate(path, template);
    for (const access of accesses) {
      for (const [attribute, bound] of boundsOf(access)) yield* inTemplate(`${access.wherePath}.${attribute}`, bound);
    }
  },
};

function* inTemplate(path: string, { text }: Template): Iterable<Found> {
  if (!text.includes('${')) return;
  const mended = text.replaceAll(/\$\{\s*([\w.]+)\s*\}/g, '<$1>');
  const fix = mended === text ? 'write parts as <name>' : `write '${mended}'`;
  yield { path, message: `'${text}': what is in \${…} is not filled in`, fix };
}
