import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { ApiError, Zoetrope } from "@zoetrope/sdk";

/** The first hour of a customer, with nothing but the SDK, the address and the key. */
const [file = "", image = "", video = ""] = process.argv.slice(2);
const client = new Zoetrope();

const painted = await client.run("image-plus-2", { prompt: "A paper boat", resolution: "1k" });
const edited = await client.run("image-plus-2", {
  prompt: "The same at night",
  urls: [painted.files[0]?.url ?? ""], // the link of one result is the input of the next
  resolution: "1k",
});
await edited.files[0]?.download(image);
const moving = await client.run("sd2", {
  prompt: "It sets off",
  urls: [edited.files[0]?.url ?? ""],
  duration: 4,
});
const large = await client.upscales.run(moving.files[0]?.url ?? "", "1080p");
await large.file.download(video);

const mine = await client.run("image-plus-2", {
  prompt: "My picture at night",
  urls: [pathToFileURL(file)],
  resolution: "1k",
});
assert.equal(mine.files.length, 1);

// A model that needs a review says that it waits for one; in this service a person decides.
const leaving = new AbortController();
/** @type {string[]} */
const phases = [];
const waiting = client.run(
  "sd2",
  { prompt: "It sets off", urls: [pathToFileURL(file)] },
  {
    signal: leaving.signal,
    onProgress({ phase }) {
      phases.push(phase);
      if (phase === "review") leaving.abort();
    },
  },
);
await assert.rejects(waiting, { name: "AbortError" });
assert.deepEqual(phases, ["upload", "review"]);

const inputs = { prompt: "A boat that nobody pays for" };
/** @type {object} */
const misspelt = { maxCredit: 1 };
/** @type {typeof inputs} */
const misspeltInputs = Object.assign({ lenght: 4 }, inputs);
await assert.rejects(client.run("sd2-fast", inputs, misspelt), { code: "unknown_option" });
await assert.rejects(client.run("sd2-fast", misspeltInputs), (error) => {
  assert(error instanceof ApiError);
  assert.equal(error.status, 400);
  assert.match(error.message, /lenght/);
  return true;
});
/** @type {any} */
const whole = { model: "sd2-fast", inputs, max_credits: 1 };
await assert.rejects(client.tasks.create(whole), { status: 400 });
await assert.rejects(client.tasks.create({ model: "sd2-fast", inputs }, misspelt), {
  code: "unknown_option",
});
const source = { taskId: moving.taskId };
await assert.rejects(client.upscales.create(source, "1080p", misspelt), { code: "unknown_option" });
/** @type {any} */
const upscale = { source, targetResolution: "1080p", max_credits: 1 };
for await (const result of client.batch([whole, upscale])) {
  assert(result.status === "failed" && result.error instanceof ApiError);
  assert.match(result.error.message, /max_credits/);
}
assert.deepEqual((await client.tasks.list({ model: "sd2-fast" })).items, []);
