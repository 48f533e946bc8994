import fc from "fast-check";
import { openTestBed } from "../harness/test-context.ts";
import { runSequence, sequenceArbitrary } from "./run-sequence.ts";

/** Proving a ledger reads all of it: a new database now and then keeps that quick. */
const sequencesPerDatabase = 25;

export async function runSequences(count: number): Promise<void> {
  for (let done = 0; done < count; done += sequencesPerDatabase) {
    await using bed = await openTestBed();
    const other = bed.openAnother();
    const property = fc.asyncProperty(sequenceArbitrary, (sequence) =>
      runSequence(bed, other, sequence),
    );
    const numRuns = Math.min(sequencesPerDatabase, count - done);
    await fc.assert(property, { numRuns, endOnFailure: true });
  }
}
