// The public entries, as entries.json lists them. `node build/entries.mjs` writes them into package.json, which has to say
// them in three forms: for Node and bundlers, for TypeScript of old, and for those who know neither. It also derives `homepage` and
// `bugs` from `repository`, the one field that a fork sets.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const read = (file) => readFileSync(new URL(file, root), 'utf8');

/**
 * Each with its source. `module`: it is offered to bundlers as an ES module, which can be shaken. `lazy`: what it exports
 * is loaded when it is first asked for. `needs`: what it loads of its peers, which may not be installed.
 */
export const entries = Object.entries(JSON.parse(read('entries.json'))).map(([name, entry]) => {
  const path = entry.source.replace(/\.ts$/, '');
  return { name, lazy: false, needs: [], ...entry, built: `dist/${path}.js`, types: `dist/${path}.d.ts`, path };
});

/** Where the ES modules are. */
export const MODULES = 'dist/esm';

/** The fields of package.json that follow from the entries and from the repository. */
function forms({ repository }) {
  const [main] = entries;
  const page = repository.url.replace(/^git\+|\.git$/g, '');
  return {
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
    main: `./${main.built}`,
    types: `./${main.types}`,
    typesVersions: {
      '*': Object.fromEntries(entries.slice(1).map(({ name, types }) => [name.slice(2), [`./${types}`]])),
    },
    exports: {
      ...Object.fromEntries(
        entries.map(({ name, types, built, path, module }) => [
          name,
          {
            types: `./${types}`,
            // Bundlers take it for `import` and `require` alike, and Node does not know it: nobody gets both.
            ...(module ? { module: `./${MODULES}/${path}.mjs` } : {}),
            default: `./${built}`,
          },
        ]),
      ),
      './package.json': './package.json',
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = read('package.json');
  const after = `${JSON.stringify({ ...JSON.parse(before), ...forms(JSON.parse(before)) }, null, 2)}\n`;
  if (process.argv[2] !== '--check') writeFileSync(new URL('package.json', root), after);
  else if (after !== before) {
    console.error('package.json does not say what entries.json does; run npm run entries');
    process.exitCode = 1;
  }
}
