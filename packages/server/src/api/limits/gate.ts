export interface GateLimits {
  atOnceMax: number;
  waitingMax: number;
  waitMsMax: number;
}

/** Bounds concurrency per name. A few more wait in a queue; the rest are refused immediately. */
export interface Gate {
  /** Returns the function that leaves. Throws the error of `refuse` if the queue is full or too slow. */
  enter(name: string): Promise<() => void>;
  use<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

interface Line {
  running: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

export function createGate(limits: GateLimits, refuse: (why: "full" | "slow") => Error): Gate {
  const lines = new Map<string, Line>();

  function leave(name: string, line: Line): void {
    const [next] = line.waiting;
    if (next === undefined) line.running--;
    else next(); // the permit passes to the next in the queue
    if (line.running === 0) lines.delete(name);
  }

  function wait(line: Line): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const admit = () => {
      clearTimeout(timer);
      line.waiting.delete(admit);
      resolve();
    };
    const timer = setTimeout(() => {
      line.waiting.delete(admit);
      reject(refuse("slow"));
    }, limits.waitMsMax);
    line.waiting.add(admit);
    return promise;
  }

  async function enter(name: string): Promise<() => void> {
    const line = lines.get(name) ?? { running: 0, waiting: new Set() };
    if (line.running < limits.atOnceMax) {
      line.running++;
      lines.set(name, line);
    } else if (line.waiting.size >= limits.waitingMax) throw refuse("full");
    else await wait(line);
    let isInside = true;
    return () => {
      if (isInside) leave(name, line);
      isInside = false;
    };
  }

  return {
    enter,
    async use(name, work) {
      const exit = await enter(name);
      try {
        return await work();
      } finally {
        exit();
      }
    },
  };
}
