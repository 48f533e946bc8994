import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** Files that are made once each, however often and by how many at a time they are wanted. */
export interface KeptFiles {
  /** The path of the file, which `make` writes unless the disk has it or it is under way. */
  obtain(name: string, make: (path: string) => Promise<void>): Promise<string>;
  pathOf(name: string): string;
  stats(): { rendered: number; reused: number };
  /** Waits until nothing is under way. */
  settle(): Promise<void>;
}

export function openKeptFiles(dir: string): KeptFiles {
  mkdirSync(dir, { recursive: true });
  const underWay = new Map<string, Promise<string>>();
  const stats = { rendered: 0, reused: 0 };
  const pathOf = (name: string) => join(dir, name);

  async function add(name: string, make: (path: string) => Promise<void>): Promise<string> {
    try {
      await make(pathOf(name));
      stats.rendered++;
      return pathOf(name);
    } finally {
      underWay.delete(name);
    }
  }

  return {
    pathOf,
    async obtain(name, make) {
      const already = underWay.get(name);
      if (already || existsSync(pathOf(name))) {
        stats.reused++;
        return already ?? pathOf(name);
      }
      const work = add(name, make);
      underWay.set(name, work);
      return work;
    },
    stats: () => ({ ...stats }),
    async settle() {
      await Promise.allSettled(underWay.values());
    },
  };
}
