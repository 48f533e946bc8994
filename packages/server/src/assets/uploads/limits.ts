/** A broken connection costs at most one chunk: a hundredth of the largest file. */
export const chunkBytes = 2 * 1024 * 1024;

/** The maximum duration of an upload, and the time for which it can be read after completion. */
export const uploadMs = 24 * 60 * 60 * 1000;

/** A link is renewed by reading the upload. */
export const linkSecondsMax = 60 * 60;

/** Longer than the upload: a chunk that started just before its end may arrive after it. */
export const chunksKeptMs = uploadMs + 60 * 60 * 1000;
