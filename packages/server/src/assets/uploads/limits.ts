/** A cut costs at most one chunk: a hundredth of the largest file. */
export const chunkBytes = 2 * 1024 * 1024;

/** How long an upload may take from its begin to its end; then, completed, how long it is remembered. */
export const uploadMs = 24 * 60 * 60 * 1000;

/** A link is renewed by reading the upload. */
export const linkSecondsMax = 60 * 60;

/** Longer than the upload: what began just before its end may arrive after it. */
export const chunksKeptMs = uploadMs + 60 * 60 * 1000;
