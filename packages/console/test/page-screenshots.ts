import { mkdir } from "node:fs/promises";
import { openBed } from "./harness/bed.ts";
import { openVisit } from "./harness/visit.ts";

/**
 * Takes screenshots of pages, in both colour schemes, wide and narrow:
 * `node packages/console/test/page-screenshots.ts OUT_DIR ROLE PATH…`, where ROLE is a role in an account or
 * of the staff.
 */
const [outDir = "screenshots", role = "owner", ...paths] = process.argv.slice(2);
await mkdir(outDir, { recursive: true });
await using bed = await openBed();
const staff = ["operator", "support", "reviewer"].find((one) => one === role);
const visitor =
  staff === undefined
    ? { role: role as "owner" }
    : { staffRole: staff as "operator", role: "owner" as const };
for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390]) {
    const variant = {
      language: scheme === "dark" ? "zh" : "en",
      scheme,
      isKeyboard: false,
    } as const;
    const visit = await openVisit(bed, { ...visitor, width }, variant);
    for (const path of paths) {
      await visit.open(path);
      await visit.watch.settle();
      const name = path.replaceAll(/\W+/g, "-");
      await visit.page.screenshot({ path: `${outDir}/${name}-${scheme}-${width}.png` });
    }
    await visit.context.close();
  }
