/**
 * Items that still fail, and of which none can be left out: halves, quarters and so on are left out as
 * long as the rest fails (delta debugging). `onProgress` hears of every smaller list.
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  onProgress: (items: readonly Item[]) => void = () => {},
): Promise<readonly Item[]> {
  let kept = items;
  let parts = 2;
  while (kept.length > 1) {
    const smaller = await findFailing(candidatesOf(kept, parts), fails);
    if (smaller === undefined) {
      if (parts >= kept.length) return kept;
      parts = Math.min(kept.length, 2 * parts);
      continue;
    }
    kept = smaller;
    parts = Math.max(2, Math.min(parts - 1, kept.length));
    onProgress(kept);
  }
  return kept;
}

/** Each part alone, then everything but each part. Of two parts those are the same. */
function candidatesOf<Item>(items: readonly Item[], parts: number): (readonly Item[])[] {
  const size = items.length / parts;
  const edges = Array.from({ length: parts + 1 }, (_, index) => Math.round(index * size));
  const spans = edges.slice(1).map((to, index) => ({ from: edges[index] ?? 0, to }));
  const alone = spans.map(({ from, to }) => items.slice(from, to));
  if (parts === 2) return alone;
  return [...alone, ...spans.map(({ from, to }) => [...items.slice(0, from), ...items.slice(to)])];
}

async function findFailing<Item>(
  candidates: readonly (readonly Item[])[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | undefined> {
  for (const candidate of candidates) if (await fails(candidate)) return candidate;
  return undefined;
}
