/** Lets so many through at a time; the rest wait in the order they came, those who go first before others. */
export interface Gate {
  pass<T>(work: () => Promise<T>, options?: { isFirst: boolean }): Promise<T>;
  stats(): { inside: number; waiting: number };
}

export function createGate(insideMax: number): Gate {
  const first: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work, { isFirst } = { isFirst: false }) {
      const line = isFirst ? first : waiting;
      if (inside >= insideMax) await new Promise<void>((resolve) => line.push(resolve));
      else inside++;
      try {
        return await work();
      } finally {
        // the place goes straight to the next in line, if any
        const next = first.shift() ?? waiting.shift();
        if (next) next();
        else inside--;
      }
    },
    stats: () => ({ inside, waiting: first.length + waiting.length }),
  };
}
