import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { jsonOf, pythonOf, shellWord } from "./quote-text.ts";
import { languages, snippetOf } from "./snippets.ts";

const hostile = [
  "a heron lands",
  'it\'s "quoted" and `run $(id)` $HOME \\n \\',
  "'; rm -rf / #",
  "--model=other",
  "-",
  "@/etc/passwd",
  "!! !$ it's!x\nnew line !y 'z'",
  "\x1b[2Jcleared\x07\x03\r\n\tend",
  "שלום \u202egnp.exe\u202c hidden\u200b\ufeff",
  "</script><script>alert(1)</script>",
  "中文，表情 🦊👨‍👩‍👧 \u2028\u2029",
  "tags \u{e0041}\u{e0062} in \u{1f3f4}",
  "%s %n \\x41 \\u0041 $IFS $" + "{IFS}",
  "a".repeat(10_000),
];

test("a shell reads every hostile prompt as exactly that text", () => {
  const script = `printf '%s\\0' ${hostile.map(shellWord).join(" ")}`;
  const words = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0");
  expect(words.slice(0, -1)).toEqual(hostile);
});

test("curl sends exactly the request, whatever the prompt", () => {
  for (const prompt of hostile) {
    const request = { model: "sd2", inputs: { prompt, urls: [prompt] }, maxCredits: 30 };
    const command = snippetOf("curl", request, "https://media.example.com");
    const script = `curl() { printf '%s' "\${@: -1}"; }; ${command}`;
    expect(JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }))).toEqual(request);
  }
});

test("the command line gets every input as one argument", () => {
  const inputs = {
    prompt: hostile[1],
    urls: [hostile[2], hostile[6]],
    generateAudio: false,
    seed: 7,
  };
  const command = snippetOf("cli", { model: "sd2", inputs, maxCredits: null }, "");
  const script = `zoetrope() { printf '%s\\0' "$@"; }; ${command}`;
  const words = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0");
  expect(words).toEqual([
    "generate",
    "--model=sd2",
    `--prompt=${hostile[1]}`,
    `--urls=${hostile[2]}`,
    `--urls=${hostile[6]}`,
    "--no-generate-audio",
    "--seed=7",
    "-o",
    "{taskId}.{ext}",
    "",
  ]);
});

test("Python reads every hostile value as it is", () => {
  const value = { prompts: hostile, isOn: true, isOff: false, nothing: null, seed: 7, none: [] };
  const script = `import json,sys\nprint(json.dumps(${pythonOf(value)}))`;
  const printed = execFileSync("python3", ["-c", script], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(value);
});

test("JSON and JavaScript read every hostile value as it is, and nothing in it is invisible", () => {
  const text = jsonOf(hostile, 2);
  expect(JSON.parse(text)).toEqual(hostile);
  expect(new Function(`return ${text}`)()).toEqual(hostile);
  expect(text).not.toMatch(/[\u200b\u202e\u2028\ufeff]/);
});

test("no snippet has a line that the prompt breaks", () => {
  for (const language of languages) {
    const inputs = { prompt: "one\u2028two\r\nthree\x1b[0m" };
    const text = snippetOf(language, { model: "sd2", inputs, maxCredits: 1 }, "https://a.example");
    for (const character of ["\r", "\u2028", "\x1b"]) expect(text).not.toContain(character);
  }
});
