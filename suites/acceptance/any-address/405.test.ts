import { expect, test } from "vitest";
import { send, settings } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const addresses = [
  { path: "/api/v1/jobs/createTask", takes: "POST", refuses: ["GET", "PUT", "DELETE", "PATCH"] },
  { path: "/api/v1/jobs/quote", takes: "POST", refuses: ["GET", "PUT", "DELETE", "PATCH"] },
  { path: "/api/v1/jobs/queryTask", takes: "GET", refuses: ["POST", "PUT", "DELETE", "PATCH"] },
  { path: "/api/v1/account/credits", takes: "GET", refuses: ["POST", "PUT", "DELETE", "PATCH"] },
  { path: "/api/v1/models", takes: "GET", refuses: ["POST", "PUT", "DELETE", "PATCH"] },
  { path: "/openapi.json", takes: "GET", refuses: ["POST", "DELETE"] },
];

for (const { path, takes, refuses } of addresses)
  for (const method of refuses)
    test(`${path} takes ${takes}: ${method} is a 405 with Allow`, async () => {
      const headers = { authorization: `Bearer ${settings.keys.main}` };
      const answer = await send(path, { method, headers });
      expectRefusal(answer, { status: 405, code: "method_not_allowed" });
      const allowed = (answer.headers.get("allow") ?? "").split(/, */);
      expect(allowed).toContain(takes);
      expect(allowed).not.toContain(method);
    });
