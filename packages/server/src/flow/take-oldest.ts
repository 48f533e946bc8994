/** Removes and returns the oldest members of a set, or keys of a map. */
export function takeOldest<Key>(
  from: { keys(): Iterable<Key>; delete(key: Key): boolean },
  countMax: number,
): Key[] {
  const taken: Key[] = [];
  for (const key of from.keys()) {
    if (taken.length >= countMax) break;
    from.delete(key);
    taken.push(key);
  }
  return taken;
}
