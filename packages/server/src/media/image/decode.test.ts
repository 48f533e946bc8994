import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { expect, onTestFinished, test, vi } from "vitest";
import { decode, runInBox } from "./decode.ts";

const secret = "hunter2-of-the-worker";

/** The script of a decoder that an image has taken over: it looks for secrets and for a way out. */
const intruder = `
  const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
  const { connect } = require("node:net");
  const attempt = (look) => { try { return look(); } catch (error) { return error.code; } };
  const [file, port] = process.argv.slice(1);
  const processes = attempt(() => readdirSync("/proc").filter((name) => /^\\d+$/.test(name)));
  const found = {
    env: Object.values(process.env),
    environments: processes.map((pid) => attempt(() => readFileSync("/proc/" + pid + "/environ", "utf8"))),
    commands: processes.map((pid) => attempt(() => readFileSync("/proc/" + pid + "/cmdline", "utf8"))),
    file: attempt(() => readFileSync(file, "utf8")),
    root: readdirSync("/").sort(),
    app: readdirSync("/app").sort(),
    written: ["/app/x", "/usr/x", "/x"].map((path) => attempt(() => writeFileSync(path, "x"))),
  };
  const socket = connect(Number(port), "127.0.0.1");
  const end = (network) => { console.log(JSON.stringify({ ...found, network })); process.exit(0); };
  socket.on("connect", () => end("connected")).on("error", (error) => end(error.code));`;

test("a decoder that an image has taken over finds no secret, no file of the worker and no network", async () => {
  const scratch = await makeScratch("decoder");
  onTestFinished(() => scratch.remove());
  const file = join(scratch.path, "secret");
  await writeFile(file, secret);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  vi.stubEnv("VENDORS", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { exitCode, stdout, complaint } = await runInBox(
    ["-e", intruder, file, String(port)],
    Buffer.from("an image"),
  );
  expect(exitCode, complaint).toBe(0);
  expect(stdout).not.toContain(secret);
  const found = JSON.parse(stdout) as Record<string, unknown>;
  expect(found).toMatchObject({
    file: "ENOENT",
    network: "ECONNREFUSED",
    root: ["app", "dev", "etc", "lib", "lib64", "proc", "tmp", "usr"],
    app: ["decoder", "node", "node_modules", "package.json"],
    written: ["EFBIG", "EROFS", "EFBIG"],
  });
});

/** Notes the processes that are started until the test ends. */
function watchProcesses(): ChildProcess[] {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe("child_process", note);
  onTestFinished(() => void unsubscribe("child_process", note));
  return started;
}

test("each image has a process of its own, which has ended when its answer is there, and a damaged one is the file's fault", async () => {
  const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const started = watchProcesses();
  const [whole, cut] = await Promise.allSettled([
    decode({ kind: "measure" }, image),
    decode({ kind: "measure" }, image.subarray(0, 60)),
  ]);
  expect(started).toHaveLength(2);
  expect(await decode({ kind: "measure" }, image)).toEqual(Object(whole).value);
  expect(new Set(started.map(({ pid }) => pid)).size).toBe(3);
  for (const { exitCode, signalCode } of started) expect(exitCode ?? signalCode).not.toBeNull();
  expect(whole).toMatchObject({
    value: { facts: { contentType: "image/png", width: 30, height: 20, pages: 1 }, parts: [] },
  });
  expect(cut).toMatchObject({ status: "rejected", reason: { name: "Error" } });
});

/** The script of a decoder that tries to leave something for the next image and looks for an earlier one. */
const successor = `
  const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
  const { spawn } = require("node:child_process");
  const [marker] = process.argv.slice(1);
  const commands = readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => { try { return readFileSync("/proc/" + pid + "/cmdline", "utf8"); } catch { return ""; } });
  const files = ["/tmp", "/dev/shm"].flatMap((folder) => readdirSync(folder));
  for (const folder of ["/tmp", "/dev/shm"]) try { writeFileSync(folder + "/" + marker, ""); } catch {}
  const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", marker], { detached: true, stdio: "ignore" });
  left.on("spawn", () => {
    left.unref();
    const own = readdirSync("/tmp");
    console.log(JSON.stringify({ commands, files, own }));
    process.exit(0);
  });`;

test("an image finds no file and no process of the one before", async () => {
  const found = [];
  for (const marker of ["marker-of-the-first", "marker-of-the-second"]) {
    const { exitCode, stdout, complaint } = await runInBox(
      ["-e", successor, marker],
      Buffer.from("an image"),
    );
    expect(exitCode, complaint).toBe(0);
    found.push(JSON.parse(stdout) as Record<"commands" | "files" | "own", string[]>);
  }
  expect(found.map(({ own }) => own)).toEqual([["marker-of-the-first"], ["marker-of-the-second"]]);
  expect(found.map(({ files }) => files)).toEqual([[], []]);
  expect(found[1]?.commands.join()).not.toContain("marker-of-the-first");
});

test("a file that is gone is an error of its own, and no damaged image", async () => {
  await expect(decode({ kind: "measure" }, "/nowhere/image")).rejects.toMatchObject({
    code: "ENOENT",
  });
});
