/** Runs things later. One timer serves all of them, so that a waiting job costs one heap entry. */
export interface Schedule {
  /** Runs `action` after `delayMs`; an action that is no longer wanted must check so itself. */
  after(delayMs: number, action: () => void): void;
  stop(): void;
}

interface Entry {
  dueMs: number;
  order: number;
  action: () => void;
}

const timerMsMax = 2 ** 31 - 1;

/** `clock` counts milliseconds and never goes back. */
export function startSchedule(clock = () => performance.now()): Schedule {
  const heap: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let armedForMs = Number.POSITIVE_INFINITY;
  let order = 0;
  let stopped = false;

  function arm() {
    const first = heap[0];
    if (stopped || !first || first.dueMs >= armedForMs) return;
    clearTimeout(timer);
    armedForMs = first.dueMs;
    timer = setTimeout(runDue, Math.min(timerMsMax, Math.max(0, first.dueMs - clock())));
  }

  function runDue() {
    armedForMs = Number.POSITIVE_INFINITY;
    const now = clock();
    for (let first = heap[0]; first && first.dueMs <= now && !stopped; first = heap[0]) {
      takeFirst(heap);
      first.action();
    }
    arm();
  }

  return {
    after(delayMs, action) {
      insert(heap, { dueMs: clock() + delayMs, order: order++, action });
      arm();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      heap.length = 0;
    },
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

function insert(heap: Entry[], entry: Entry) {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || isBefore(parent, entry)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = entry;
}

function takeFirst(heap: Entry[]) {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const a = heap[left];
    const b = heap[left + 1];
    if (!a) break;
    const [child, childAt] = b && isBefore(b, a) ? [b, left + 1] : [a, left];
    if (isBefore(last, child)) break;
    heap[at] = child;
    at = childAt;
  }
  heap[at] = last;
}
