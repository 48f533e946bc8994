/** Removes and returns the oldest members of a set. */
export function takeOldest<Id>(ids: Set<Id>, countMax: number): Id[] {
  const taken: Id[] = [];
  for (const id of ids) {
    if (taken.length >= countMax) break;
    ids.delete(id);
    taken.push(id);
  }
  return taken;
}
