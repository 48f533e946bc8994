import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { newId, type UploadId } from "../../ids.ts";
import { dropExpiredUploads, insertUpload } from "./queries.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

test("an upload that is being completed keeps no other upload that is over from being forgotten", async () => {
  const account = await bed.openAccount();
  const ids = [newId<UploadId>(0), newId<UploadId>(0)];
  for (const id of ids)
    await insertUpload(
      bed.ctx.db,
      {
        id,
        account_id: account.id,
        type: "IMAGE",
        name: null,
        size_bytes: 1,
        sha256: null,
        chunk_bytes: 1,
        chunk_stem: id,
      },
      0,
    );
  const locker = new Client({ connectionString: bed.database.ownerUrl });
  await locker.connect();
  await locker.query("begin");
  await locker.query("select from asset_uploads where id = $1 for update", [ids[0]]);
  await dropExpiredUploads(bed.ctx.db, 100);
  expect(await bed.database.sql("select id from asset_uploads")).toEqual([{ id: ids[0] }]);
  await locker.end();
});
