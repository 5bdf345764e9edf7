import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRegion, REGIONS, regionLike } from '../../../constructs/azure/locations';

/** The regions that Azure has closed. */
const CLOSED = ['germanycentral', 'germanynortheast', 'usgoviowa'];

test("`REGIONS` contains every region that Azure's own package lists, except closed regions", () => {
  const file = join(__dirname, '../../../node_modules/@azure/identity/dist-esm/src/regionalAuthority.js');
  const listed = [...readFileSync(file, 'utf8').matchAll(/RegionalAuthority\["\w+"\] = "([a-z0-9]+)"/g)].map(
    ([, name]) => name,
  );
  expect(listed.length).toBeGreaterThan(40);
  expect(listed.filter((name) => !REGIONS.includes(name as string)).sort()).toEqual(CLOSED);
});

test("`REGIONS` lists each region once, in Azure's spelling", () => {
  expect(new Set(REGIONS).size).toBe(REGIONS.length);
  expect(REGIONS.filter((name) => !/^[a-z]+[23]?$/.test(name))).toEqual([]);
});

test("`isRegion` accepts a region's name and its display name", () => {
  expect(['brazilsouth', 'Brazil South', 'westus2', 'US Gov Virginia'].map(isRegion)).toEqual([true, true, true, true]);
  expect(['brazil', 'sa-east-1', '', 'constructor', '__proto__'].map(isRegion)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(regionLike('brazilsoth')).toBe('brazilsouth');
});
