/**
 * Loads an entry's peer dependencies, or throws an error that names the packages to install. The build inserts a call
 * to this function at the top of every entry that has peer dependencies (entries.json). Each call passes its own
 * `require`, so that bundlers see the packages.
 */
export function needs(entry: string, peers: Readonly<Record<string, () => unknown>>): void {
  const missing: string[] = [];
  let reason = '';
  for (const [name, load] of Object.entries(peers)) {
    try {
      load();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'MODULE_NOT_FOUND') throw error;
      missing.push(name);
      reason ||= message.split('\n')[0] as string;
    }
  }
  if (missing.length === 0) return;
  const install = missing.map((name) => (name === 'constructs' ? CONSTRUCTS : name)).join(' ');
  throw new Error(`${entry} needs ${missing.join(' and ')}: npm install ${install} (${reason})`);
}

/** The version is pinned, because npm would install the newest version, which `cdktn` does not support. */
const CONSTRUCTS = 'constructs@10.7';
