/**
 * Loads the peer dependencies of an entry, or throws an error that names the packages to install. The build puts a call
 * to it at the top of every entry that has peer dependencies (entries.json); each call passes its own `require`, so
 * that bundlers see it.
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

/** The version is pinned, because npm would install the newest, which `cdktn` does not work with. */
const CONSTRUCTS = 'constructs@10.7';
