/** Lets so many things run at once; the others wait in line. */
export interface Slots {
  use<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createSlots(countMax: number): Slots {
  let free = countMax;
  const line: (() => void)[] = [];
  return {
    async use(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        const next = line.shift();
        if (next === undefined) free += 1;
        else next(); // the slot changes hands
      }
    },
  };
}
