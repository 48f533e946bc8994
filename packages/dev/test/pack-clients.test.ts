import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { packClients } from "../src/pack-clients.ts";

/** A checkout whose `npm run pack` writes one tarball, or fails after it. */
async function openCheckout(path: string, ending: string): Promise<string> {
  const root = join(path, "checkout");
  for (const folder of ["tools/pack", "packages/sdk"])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, "packages/sdk/package.json"), JSON.stringify({ version: "9.9.9" }));
  const manifest = { name: "checkout", scripts: { pack: "node pack.cjs" } };
  await writeFile(join(root, "package.json"), JSON.stringify(manifest));
  await writeFile(
    join(root, "pack.cjs"),
    `require("node:fs").writeFileSync(process.argv[2] + "/zoetrope-sdk-9.9.9.tgz", "packed");
     ${ending}`,
  );
  return root;
}

test("a checkout packs its clients once; an attempt that fails says why and leaves nothing to be served", async () => {
  await using scratch = await makeScratch("pack-clients");
  const dir = join(scratch.path, "packages");
  let packed = 0;
  const { signal } = new AbortController();
  const options = { dir, signal, onPack: () => (packed += 1) };
  const failing = await openCheckout(scratch.path, 'throw new Error("no space left");');
  await expect(packClients(options, failing)).rejects.toThrow(/cannot be packed.*no space left/s);
  expect(await readdir(scratch.path)).not.toContain("packages");
  const works = await openCheckout(scratch.path, "");
  await packClients(options, works);
  await packClients(options, works);
  expect(await readdir(dir)).toEqual(["zoetrope-sdk-9.9.9.tgz"]);
  expect(packed).toBe(2);
  expect((await readdir(scratch.path)).sort()).toEqual(["checkout", "packages"]);
});

test("an installed service packs nothing", async () => {
  await using scratch = await makeScratch("pack-clients");
  const dir = join(scratch.path, "packages");
  const onPack = () => expect.unreachable();
  await packClients({ dir, signal: new AbortController().signal, onPack }, scratch.path);
  expect(await readdir(scratch.path)).toEqual([]);
});
