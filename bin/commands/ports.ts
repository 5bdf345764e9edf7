import { UsageError } from './command';

/** Returns the port that was passed in an option, or undefined if the option was not passed. */
export function readPort(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError(`${option} must be a number from 0 to 65535, got: '${given}'`);
}

/** Starts a server. If the port is not available, the error names the option that chooses another port. */
export function atPort<T>(port: number, option: string, start: () => Promise<T>): Promise<T> {
  return start().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use; choose another with ${option}`);
    if (error.code === 'EACCES')
      throw new UsageError(`port ${port} requires more privileges; choose a port above 1023 with ${option}`);
    throw error;
  });
}
