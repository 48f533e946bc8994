import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** Values by key on disk, as lines that are appended: the last line of a key counts. */
export interface KeyedLog<V> {
  /** The entries that the file had when it was opened. */
  restored: ReadonlyMap<string, V>;
  put(key: string, value: V): void;
  remove(key: string): void;
  close(): void;
}

type Line<V> = readonly [key: string, value: V | null];

/** A value beyond this is not kept: it holds an input as a data URI. */
const valueBytesMax = 1024 * 1024;
/** The file is written anew once so much was appended to it, or as much as it had, if that is more. */
const appendedBytesMin = 16 * 1024 * 1024;

/** `live` gives what is worth keeping whenever the file is written anew. */
export function openKeyedLog<V>(path: string, live: () => Iterable<[string, V]>): KeyedLog<V> {
  const restored = read<V>(path);
  let { file, size } = rewrite(path, restored);
  let appended = 0;
  let isClosed = false;

  function append(line: Line<V>) {
    if (isClosed) return;
    const text = `${JSON.stringify(line)}\n`;
    if (text.length > valueBytesMax) return;
    appended += writeSync(file, text);
    if (appended < Math.max(appendedBytesMin, size)) return;
    closeSync(file);
    ({ file, size } = rewrite(path, live()));
    appended = 0;
  }

  return {
    restored,
    put: (key, value) => append([key, value]),
    remove: (key) => append([key, null]),
    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(file);
    },
  };
}

function read<V>(path: string): Map<string, V> {
  const values = new Map<string, V>();
  if (!existsSync(path)) return values;
  const bytes = readFileSync(path); // may be longer than a string can be
  let from = 0;
  // what follows the last line feed was cut off in mid-write
  for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
    const [key, value] = JSON.parse(bytes.toString("utf8", from, to)) as Line<V>;
    if (value === null) values.delete(key);
    else values.set(key, value);
    from = to + 1;
  }
  return values;
}

/** Under another name first: a file that is there is whole. */
function rewrite<V>(path: string, entries: Iterable<[string, V]>) {
  const file = openSync(`${path}.new`, "w", 0o600);
  let size = 0;
  for (const entry of entries) {
    const text = `${JSON.stringify(entry)}\n`;
    if (text.length <= valueBytesMax) size += writeSync(file, text);
  }
  renameSync(`${path}.new`, path);
  return { file, size };
}
