import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Zoetrope } from "@zoetrope/sdk";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import type { Visit } from "../harness/visit.ts";

/** A finished image of the visit's account, as its customer saves it. */
async function saveImage({ bed, account }: Visit): Promise<string> {
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
  const { output } = await client.run("image-plus-2", { prompt: "Neon city of towers" });
  const response = await fetch(output?.[0]?.url ?? "");
  const path = join(bed.scratch.path, `made-${account.accountId}.png`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return path;
}

export const verifyJourneys: readonly Journey[] = [
  {
    name: "anybody checks a file without signing in, and it is sent only after they have agreed",
    visitor: { isNobody: true },
    async run(visit) {
      const { page, t, open, press, check, watch } = visit;
      const made = await saveImage(visit);
      const picker = page.getByLabel(t("verify:choose")).and(page.locator("input"));
      const shows = (text: string) => page.getByText(text, { exact: true }).waitFor();
      await open("/verify");
      await check("idle");
      await picker.setInputFiles(made);
      await shows(t("verify:result.made_here.title"));
      await check("made here");
      expect(watch.requests).toEqual(["GET /api/v1/verify"]);

      await press(page.getByRole("button", { name: t("verify:another") }));
      const smaller = join(visit.bed.scratch.path, `smaller-${visit.account.accountId}.jpg`);
      await renderFile(smaller, ["-i", made, "-vf", "scale=iw/2:-2", "-q:v", "8"]);
      await picker.setInputFiles(smaller);
      await shows(t("verify:notFound"));
      await check("not found by its bytes");
      expect(watch.requests).not.toContain("POST /api/v1/verify");

      await page.route("**/api/v1/verify", (route) => route.abort());
      await press(page.getByRole("button", { name: t("verify:send") }));
      await shows(t("verify:interrupted"));
      await check("interrupted");
      await page.unroute("**/api/v1/verify");
      await press(page.getByRole("button", { name: t("tryAgain") }));
      await shows(t("verify:result.similar.title"));
      await check("similar");

      await press(page.getByRole("button", { name: t("verify:another") }));
      const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no media") };
      await picker.setInputFiles(notes);
      await press(page.getByRole("button", { name: t("verify:send") }));
      await shows(t("verify:result.nothing_found.title"));
      await shows(t("verify:notOpened"));
      await check("nothing found");
    },
  },
];
