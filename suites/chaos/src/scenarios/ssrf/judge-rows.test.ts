import { expect, test } from "vitest";
import { judgeRows } from "./judge-rows.ts";
import type { Verdict } from "./rows.ts";

type End = "400" | "500" | "worked" | "unrecorded" | string;

function violationOf(verdict: Verdict, end: End): string | null | undefined {
  const row = { id: "X", url: "http://example.test/", verdicts: { asset: verdict } };
  const status = end === "400" || end === "500" ? Number(end) : 200;
  const [id, reason] = status === 200 ? ["1", null] : [null, "no"];
  const ends = end === "unrecorded" ? [] : [["1", end === "worked" ? null : end] as const];
  const nothing = new Map<string, string | null>();
  const known = { image: nothing, asset: new Map(ends), callback: nothing, upscale: nothing };
  return judgeRows([{ row, entryPoint: "asset", status, id, reason }], known)[0]?.violation;
}

test.each<[verdict: Verdict, fine: End[], wrong: End[]]>([
  ["refuse", ["400", "too far"], ["500", "worked", "unrecorded"]],
  ["refuse at once", ["400"], ["500", "worked", "too far", "unrecorded"]],
  ["accept", ["worked"], ["400", "500", "too far", "unrecorded"]],
  ["either", ["400", "worked", "too far"], ["500", "unrecorded"]],
  [/too slow/, ["is too slow"], ["500", "worked", "too far", "unrecorded"]],
])("of a row whose verdict is %s, what is fine and what is a violation", (verdict, fine, wrong) => {
  for (const end of fine) expect(violationOf(verdict, end), end).toBeNull();
  for (const end of wrong) expect(violationOf(verdict, end), end).toEqual(expect.any(String));
});
