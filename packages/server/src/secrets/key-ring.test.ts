import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { decrypt, encrypt, isEncrypted, MissingKeyError, parseKeyRing } from "./key-ring.ts";

const newKey = () => randomBytes(32).toString("base64");
const [first, second] = [newKey(), newKey()];

test("the first key encrypts and every key decrypts, so that a key can be replaced", () => {
  const old = encrypt(parseKeyRing(`2026-01 ${first}`), "hunter2", "row 1");
  const ring = parseKeyRing(
    `# newest first\n2026-11 ${second}\r\n\n2026-01  ${first} # until December\n`,
  );
  expect(ring.currentId).toBe("2026-11");
  expect(decrypt(ring, old, "row 1")).toBe("hunter2");
  expect(encrypt(ring, "hunter2", "row 1")).toMatch(/^enc1:2026-11:/);
});

test("what is encrypted shows nothing of the text, is different every time, and is found again", () => {
  const ring = parseKeyRing(`a ${first}`);
  const [one, two] = [encrypt(ring, "hunter2", "row"), encrypt(ring, "hunter2", "row")];
  expect(one).not.toBe(two);
  expect(Buffer.from(one.split(":")[2] ?? "", "base64").toString("latin1")).not.toContain(
    "hunter2",
  );
  expect(isEncrypted(one)).toBe(true);
  expect(decrypt(ring, encrypt(ring, "", "row"), "row")).toBe("");
  expect(decrypt(ring, encrypt(ring, "ключ\n", "row"), "row")).toBe("ключ\n");
});

test("a text that was moved to another row, changed or cut is refused", () => {
  const ring = parseKeyRing(`a ${first}`);
  const stored = encrypt(ring, "hunter2", "row 1");
  expect(() => decrypt(ring, stored, "row 2")).toThrow("changed, moved");
  const bytes = Buffer.from(stored.split(":")[2] ?? "", "base64");
  for (const offset of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset);
    expect(() => decrypt(ring, `enc1:a:${changed.toString("base64")}`, "row 1")).toThrow();
  }
  for (const size of [0, 5, 27, bytes.length - 1])
    expect(() =>
      decrypt(ring, `enc1:a:${bytes.subarray(0, size).toString("base64")}`, "row 1"),
    ).toThrow();
  expect(() => decrypt(parseKeyRing(`a ${second}`), stored, "row 1")).toThrow("another key");
});

test("a text of a key that is not in the ring is told apart, and a plain text is never taken for one", () => {
  const stored = encrypt(parseKeyRing(`a ${first}`), "hunter2", "row");
  expect(() => decrypt(parseKeyRing(`b ${second}`), stored, "row")).toThrow(MissingKeyError);
  expect(() => decrypt(null, stored, "row")).toThrow("no key a");
  expect(() => decrypt(parseKeyRing(`a ${first}`), "whsec_plain", "row")).toThrow(MissingKeyError);
});

test.each([
  ["at least one key", ""],
  ["at least one key", "# none\n\n"],
  ["line 1 must be an id and a key", "hunter2hunter2"],
  ["line 2 must be an id and a key", `a ${first}\nb ${second} more`],
  ["line 1 must be an id and a key", `a:b ${first}`],
  ["line 1: the key must be 32 bytes", "a hunter2hunter2"],
  ["line 1: the key must be 32 bytes", `a ${randomBytes(16).toString("base64")}`],
  ["line 2: this id is used twice", `a ${first}\na ${second}`],
  ["line 2: this key is used twice", `a ${first}\nb ${first}`],
])("a ring is refused in words that repeat no key: %s", (message, text) => {
  expect(() => parseKeyRing(text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
    }),
  );
  try {
    parseKeyRing(text);
  } catch (error) {
    for (const secret of [first, second, "hunter2"]) expect(String(error)).not.toContain(secret);
  }
});

test("a ring that is logged shows no key", () => {
  const ring = parseKeyRing(`a ${first}`);
  const shown = inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring);
  expect(shown).not.toContain(first);
  expect(shown).not.toContain(Buffer.from(first, "base64").toString("hex"));
});
