// The public entries listed in entries.json. `node build/entries.mjs` writes them into package.json three times: as `exports` for Node and bundlers,
// as `typesVersions` for old versions of TypeScript, and as `main` and `types` for tools that support neither. It also derives `homepage` and `bugs`
// from `repository`, so that a fork changes only that field.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const read = (file) => readFileSync(new URL(file, root), 'utf8');

/**
 * The entries, each with its source file. `module`: bundlers get the entry as an ES module, which they can tree-shake. `lazy`: the entry loads each
 * export on first use. `needs`: the peer dependencies that the entry loads, which a user might not have installed.
 */
export const entries = Object.entries(JSON.parse(read('entries.json'))).map(([name, entry]) => {
  const path = entry.source.replace(/\.ts$/, '');
  return { name, lazy: false, needs: [], ...entry, built: `dist/${path}.js`, types: `dist/${path}.d.ts`, path };
});

/** The folder of the ES modules. */
export const MODULES = 'dist/esm';

/** The fields of package.json that are derived from the entries and from the repository. */
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
            // Bundlers use this condition for `import` and `require` alike, and Node ignores it, so no program loads both formats.
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
    console.error("package.json differs from entries.json; run 'npm run entries'");
    process.exitCode = 1;
  }
}
