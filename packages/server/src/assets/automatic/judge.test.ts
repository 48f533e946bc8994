import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createJudge } from "./judge.ts";

const grey = { data: new Uint8Array(64 * 64 * 3).fill(128), width: 64, height: 64 };

test("a picture on which the models fail costs their thread; the next one gets a new one", async () => {
  const judge = createJudge();
  await expect(judge.judge({ ...grey, height: 65 })).rejects.toThrow("shape");
  const { explicit, sexual, face } = await judge.judge(grey);
  for (const score of [explicit, sexual, face]) expect(score).toBeLessThan(0.5);
  await judge.close();
});

test("closing while a picture is judged ends the wait", async () => {
  const judge = createJudge();
  const judged = judge.judge(grey);
  await Promise.all([
    expect(judged).rejects.toThrow("the thread of the models has ended"),
    judge.close(),
  ]);
});

test("loaded models neither keep the process from ending nor write to its output", () => {
  const program = `
    import { createJudge } from ${JSON.stringify(new URL("./judge.ts", import.meta.url).href)};
    const data = new Uint8Array(64 * 64 * 3);
    await createJudge().judge({ data, width: 64, height: 64 });
    process.stdout.write("judged");`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    timeout: 180_000,
    encoding: "utf8",
  });
  expect(child).toMatchObject({ status: 0, stdout: "judged", stderr: "" });
});
