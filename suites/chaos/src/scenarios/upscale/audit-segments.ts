import type { Client } from "pg";

/** A change of a segment, recorded by a trigger. */
export interface SegmentNote {
  what: "taken" | "returned" | "done";
  number: number;
  /** The number of tries that it has counted afterwards. */
  tries: number;
  /** Whether another may take it at once. */
  isFree: boolean;
  atMs: number;
}

/** Records every lease, return and end of a segment from now on. */
export async function auditSegments(db: Client): Promise<void> {
  await db.query(`
    create table segment_notes (
      at timestamptz not null default clock_timestamp(), task_id uuid not null,
      number integer not null, what text not null, tries integer not null, is_free boolean not null);
    create function note_segment() returns trigger language plpgsql security definer as $$
    declare
      what text := case
        when old.object_key is null and new.object_key is not null then 'done'
        when old.leased_by is not distinct from new.leased_by then null
        when new.leased_by is null then 'returned' else 'taken' end;
    begin
      if what is not null then
        insert into segment_notes (task_id, number, what, tries, is_free)
        values (new.task_id, new.number, what, new.tries, new.free_at <= clock_timestamp());
      end if;
      return null;
    end $$;
    create trigger note_segment after update on upscale_segments for each row execute function note_segment();`);
}

export async function readNotes(db: Client, taskId: string): Promise<SegmentNote[]> {
  const { rows } = await db.query<SegmentNote>(
    `select what, number, tries, is_free as "isFree", (extract(epoch from at) * 1000)::float8 as "atMs"
     from segment_notes where task_id = $1 order by at`,
    [taskId],
  );
  return rows;
}

/** Returns the time by the same clock as that of the notes. */
export async function databaseNowMs(db: Client): Promise<number> {
  const { rows } = await db.query<{ now: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  );
  return rows[0]?.now ?? Number.NaN;
}

/** Segments that were leased again although they were done. */
export function takenAgain(notes: readonly SegmentNote[]): number[] {
  const isDone = (note: SegmentNote) =>
    notes.some(
      ({ what, number, atMs }) => what === "done" && number === note.number && atMs < note.atMs,
    );
  return notes.filter((note) => note.what === "taken" && isDone(note)).map(({ number }) => number);
}
