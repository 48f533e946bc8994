/** Lets so many through at a time; the rest wait in the order they came. */
export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
  stats(): { inside: number; waiting: number };
}

export function createGate(insideMax: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work) {
      if (inside >= insideMax) await new Promise<void>((resolve) => waiting.push(resolve));
      else inside++;
      try {
        return await work();
      } finally {
        // the place goes straight to the next in line, if any
        const next = waiting.shift();
        if (next) next();
        else inside--;
      }
    },
    stats: () => ({ inside, waiting: waiting.length }),
  };
}
