import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminOf, type CliBed, openCliBed } from "./cli-bed.ts";

let bed: CliBed;
beforeAll(async () => {
  bed = await openCliBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

test("a service key gives an account a book and a discount, and prepares prices; it cannot publish them", async () => {
  const operator = await bed.openOperator();
  const admin = adminOf(operator);
  const { accountId } = (await admin("accounts create Shop")).answer;
  const until = "--discount-until 2030-12-31T12:00:00Z";
  expect((await admin(`accounts change ${accountId} --discount 100 ${until}`)).code).toBe(2);
  const change = await admin(
    `accounts change ${accountId} --price-book B --discount 12.5 ${until}`,
  );
  expect(change.code).toBe(0);
  expect((await admin(`accounts show ${accountId}`)).answer).toMatchObject({
    priceBook: "B",
    discount: { basisPoints: 1250, until: Date.parse("2030-12-31T12:00:00Z") },
  });
  await admin(`accounts change ${accountId} --price-book none --discount none`);
  expect((await admin(`accounts show ${accountId}`)).answer).toMatchObject({
    priceBook: null,
    discount: null,
  });

  const book = `book-${accountId.slice(-8)}`;
  expect((await admin(`prices create ${book} --description resellers`)).code).toBe(0);
  const file = join(operator.home, "rates.json");
  const first = await admin("prices document A 1");
  await writeFile(file, JSON.stringify(first.answer));
  expect((await admin(`prices draft ${book} --file ${file}`)).code).toBe(0);
  expect((await admin(`prices preview ${book}`)).answer).toEqual({ items: [] });
  expect((await admin(`prices show ${book}`)).answer).toMatchObject({
    versions: [],
    document: null,
    draft: { document: first.answer.document, asked: null },
  });
  const listed = (await admin("prices list")).answer.items;
  expect(listed).toContainEqual({ book, description: "resellers", versions: 0, draft: "written" });
  expect((await admin(`accounts change ${accountId} --price-book ${book}`)).code).not.toBe(0);
  expect((await admin(`prices drop ${book}`)).code).toBe(0);
});

test("an operator publishes what a vendor account charges, and reads every version", async () => {
  const operator = await bed.openOperator();
  const admin = adminOf(operator);
  const add = `vendors add billed --kind ark --url ${bed.stack.sandboxUrl}/api/v3 --weight 0 --test`;
  expect((await admin(add, "sandbox-ark-key\n")).code).toBe(0);
  const file = join(operator.home, "costs.json");
  const publish = `costs publish billed --file ${file} --reason new_contract`;
  expect((await admin(publish)).code).toBe(2); // there is no such file
  await writeFile(file, "{");
  expect((await admin(publish)).code).toBe(2);
  const rates = { "*": [{ unit: "completion_tokens", rate: "4600" }] };
  const document = { currency: "CNY", models: { seedance: { failed: "free", rates } } };
  await writeFile(file, JSON.stringify(document));
  expect(await admin(publish)).toMatchObject({ answer: { version: 1 } });
  const past = await admin(`${publish} --valid-from 2026-01-31T12:00:00Z`);
  const validFrom = Date.parse("2026-01-31T12:00:00Z");
  expect(past.answer).toEqual({ version: 2, validFrom });
  const books = (await admin("costs list")).answer.items;
  expect(books).toMatchObject([
    { vendorAccount: "billed", version: 2, currency: "CNY", validFrom },
  ]);
  const first = await admin("costs show billed --limit 1");
  expect(first.answer).toMatchObject({ items: [{ version: 2 }], nextCursor: "2" });
  const rest = await admin("costs show billed --cursor 2");
  const published = { version: 1, reason: "new contract", document };
  expect(rest.answer).toMatchObject({ items: [published], nextCursor: null });
  const unknown = await admin(`costs publish nobody --file ${file} --reason new_contract`);
  expect(unknown).toMatchObject({ stderr: expect.stringContaining("name of a vendor account") });
});
