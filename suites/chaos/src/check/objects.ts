import type { Evidence, Violation } from "./evidence.ts";

/** I13, first half: every object that a task refers to is there, with its size and checksum. */
export function checkObjects({ rows, objects }: Evidence): Violation[] {
  return rows.tasks.flatMap((task) =>
    (task.output ?? []).flatMap((media): Violation[] => {
      const stored = objects.get(media.key);
      if (stored?.sha256 === media.sha256 && stored.sizeBytes === media.sizeBytes) return [];
      const what =
        stored === undefined
          ? `task ${task.id} refers to ${media.key}, which is not there`
          : `${media.key} of task ${task.id} has other bytes than were stored`;
      return [{ what, rows: [media, stored] }];
    }),
  );
}

/** Objects that no task refers to: what a crash between storing and finishing leaves behind. */
export function unreferencedObjects({ rows, objects }: Evidence): string[] {
  const referenced = new Set(
    rows.tasks.flatMap(
      (task) => task.output?.flatMap(({ key, poster }) => (poster ? [key, poster.key] : key)) ?? [],
    ),
  );
  return [...objects.keys()].filter((key) => !referenced.has(key));
}
