/** Removes and returns the oldest members of a set. */
export function takeOldest(ids: Set<string>, countMax: number): string[] {
  const taken: string[] = [];
  for (const id of ids) {
    if (taken.length >= countMax) break;
    ids.delete(id);
    taken.push(id);
  }
  return taken;
}
