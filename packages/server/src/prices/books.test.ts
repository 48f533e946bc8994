import { expect, test } from "vitest";
import { z } from "zod";
import type { DirectoryDb } from "../db/database.ts";
import { createLog } from "../log.ts";
import { createBooks } from "./books.ts";

test("whoever asks while the books are read for the first time waits for them", async () => {
  const db = {} as DirectoryDb; // read by nothing here
  let asked: Promise<unknown> | null = null;
  const books = createBooks(
    { db, log: createLog("silent", "test") },
    {
      name: "test",
      document: z.object({ rate: z.int() }),
      listVersions: async () => ({
        now: new Date(),
        versions: [{ book: "A", version: 1, validFrom: "2000-01-01T00:00:00Z" }],
      }),
      async readDocument() {
        asked = books.inForce("A");
        return { rate: 7 };
      },
    },
  );
  await books.inForce("A");
  expect(await asked).toMatchObject({ id: "A@1", document: { rate: 7 } });
});
