import { chunksOf } from "../../media/storage/chunks.ts";
import { keysOfOutput } from "../../tasks/output-media.ts";

type Output = Parameters<typeof keysOfOutput>[0];
type Row = Readonly<Record<string, unknown>>;

/** The objects in storage that a row of each table names. */
const keysOf: Readonly<Record<string, (row: Row) => readonly unknown[]>> = {
  tasks: ({ output, inputs }) => [
    ...keysOfOutput(output as Output),
    ...((inputs ?? []) as { key: string }[]).map(({ key }) => key),
  ],
  open_tasks: ({ delivered }) =>
    delivered === null ? [] : keysOfOutput([delivered] as unknown as Output),
  assets: ({ storage_key: key }) => [key],
  asset_declarations: ({ form_key: key }) => [key],
  asset_uploads: (row) =>
    chunksOf(String(row["chunk_stem"]), Number(row["size_bytes"]), Number(row["chunk_bytes"])).map(
      ({ key }) => key,
    ),
  upscales: ({ source_key: key }) => [key],
  upscale_segments: ({ object_key: key }) => [key],
};

/** The keys of the objects that rows of a table name; rows are JSON. */
export function mediaKeysOf(table: string, rows: readonly string[]): string[] {
  const read = keysOf[table];
  if (read === undefined) return [];
  return rows
    .flatMap((row) => read(JSON.parse(row) as Row))
    .filter((key): key is string => typeof key === "string");
}
