import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../view';
import type { Source } from './state';

export interface Runner {
  readonly values: Readonly<Record<string, unknown>>;
  readonly outcome: RunView | undefined;
  readonly problem: string;
  readonly isRunning: boolean;
  run(values: object, cursor?: string): void;
}

/** Runs the example at once, where something can be run: what a pattern does is seen before it is read. */
export function useRun(
  source: Source,
  system: string,
  name: string,
  kept: RunView | undefined,
  example: object,
  canRun = true,
): Runner {
  const [values, setValues] = useState(example as Readonly<Record<string, unknown>>);
  const [outcome, setOutcome] = useState(kept);
  const [problem, setProblem] = useState('');
  const [isRunning, setRunning] = useState(false);
  const asked = useRef(0);
  const run = (wanted: object, cursor?: string) => {
    setValues(wanted as Readonly<Record<string, unknown>>);
    if (source.run === undefined) return;
    const number = ++asked.current;
    setRunning(true);
    source.run(system, name, wanted, cursor).then(
      (done) => {
        if (number !== asked.current) return;
        setRunning(false);
        setProblem('');
        setOutcome(done);
      },
      (error: Error) => {
        if (number !== asked.current) return;
        setRunning(false);
        setProblem(error.message);
      },
    );
  };
  // It is another page.
  useEffect(() => {
    setOutcome(kept);
    if (canRun) run(example);
  }, [system, name]);
  return { values, outcome, problem, isRunning, run };
}
