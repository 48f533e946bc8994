import { execFile } from "node:child_process";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The official checks of `@modelcontextprotocol/conformance`, as far as they are about this server. */
const program = `${import.meta.dirname}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const run = promisify(execFile);

const applying = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

/**
 * The reasons why the others do not apply. Most of them call tools, prompts or resources of their
 * own test server.
 */
const notApplying: Readonly<Record<string, string>> = {
  "logging-set-level": "deprecated; the server does not declare logging",
  "completion-complete": "no prompts or resource templates to complete",
  "tools-call-simple-text": "calls the tool test_simple_text",
  "tools-call-image": "calls the tool test_image_content",
  "tools-call-audio": "calls the tool test_audio_content",
  "tools-call-embedded-resource": "calls the tool test_embedded_resource",
  "tools-call-mixed-content": "calls the tool test_multiple_content_types",
  "tools-call-with-logging": "calls the tool test_tool_with_logging",
  "tools-call-error": "calls the tool test_error_handling",
  "tools-call-with-progress": "calls the tool test_tool_with_progress",
  "tools-call-sampling": "deprecated; no tool samples",
  "tools-call-elicitation": "calls the tool test_elicitation, and needs a session",
  "json-schema-2020-12": "looks for the tool json_schema_2020_12_tool",
  "elicitation-sep1034-defaults": "calls the tool test_elicitation_sep1034_defaults",
  "server-sse-polling": "calls the tool test_reconnection; there are no streams to resume",
  "server-sse-multiple-streams": "needs a session",
  "elicitation-sep1330-enums": "calls the tool test_elicitation_sep1330_enums",
  "resources-list": "no resources",
  "resources-read-text": "no resources",
  "resources-read-binary": "no resources",
  "resources-templates-read": "no resources",
  "resources-subscribe": "no resources",
  "resources-unsubscribe": "no resources",
  "prompts-list": "no prompts",
  "prompts-get-simple": "no prompts",
  "prompts-get-with-args": "no prompts",
  "prompts-get-embedded-resource": "no prompts",
  "prompts-get-with-image": "no prompts",
};

let scratch: Scratch;
let stack: Stack;
let keyed: Server;
let url: string;
beforeAll(async () => {
  scratch = await makeScratch("conformance");
  stack = await startStack({ dir: scratch.path });
  const { key } = await stack.openAccount({ name: "conformance", credits: 100 });
  keyed = await addKey(stack.apiUrl, key);
  url = `http://127.0.0.1:${(keyed.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  keyed?.close();
  await stack?.stop();
  await scratch?.remove();
});

/** The checks send no key: passes everything on with one, and changes nothing else. */
async function addKey(target: string, key: string): Promise<Server> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const authorization = `Bearer ${key}`;
    const onward = forward(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...headers, authorization },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

test("every check of the package is run, or does not apply for a reason that is written down", async () => {
  const { stdout } = await run(process.execPath, [program, "list", "--server"]);
  const known = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  expect(known.sort()).toEqual([...applying, ...Object.keys(notApplying)].sort());
});

test.each(applying)("%s passes", async (scenario) => {
  const args = [program, "server", "--url", url, "--scenario", scenario];
  const { stdout } = await run(process.execPath, args, { cwd: scratch.path });
  expect(stdout).toMatch(/Passed: [1-9]/);
  expect(stdout).toContain("0 failed");
});
