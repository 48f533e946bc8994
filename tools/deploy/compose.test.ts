import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { readCompose, readComposeFiles } from "./compose-file.ts";

interface Service {
  image?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  privileged?: boolean;
  ports?: string[];
  networks?: string[];
  environment?: Record<string, string | null>;
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
}

const schemaPath = new URL("node_modules/dclint/schemas/compose.schema.json", import.meta.url);
const { $schema: _draft, ...schema } = JSON.parse(await readFile(schemaPath, "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat("ports", true).addFormat("expose", true).addFormat("subnet_ip_address", true);
const validate = ajv.compile(schema);

function faultsOf(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const compose = (await readCompose("compose.yaml")) as Compose;
const services = Object.entries(compose.services);

test.for([
  "compose.yaml",
  "deploy/compose.s3.yaml",
  "deploy/compose.evaluation.yaml",
  "deploy/compose.metrics.yaml",
])("%s is valid by the compose schema", async (path) => {
  expect(faultsOf(await readCompose(path))).toEqual([]);
});

test("what the compose schema does not know is found", () => {
  expect(faultsOf({ services: { api: { comand: ["api"] } } })).not.toEqual([]);
  expect(faultsOf({ services: { api: { depends_on: { migrate: {} } } } })).not.toEqual([]);
});

test("no password, key or secret has a value in compose.yaml: each comes from a file", () => {
  const secret = /PASSWORD|SECRET|_KEY|DATABASE_(OWNER_)?URL|^VENDORS/;
  for (const [name, { environment = {} }] of services)
    for (const [variable, value] of Object.entries(environment))
      if (secret.test(variable) || variable.endsWith("_FILE"))
        expect(value, `${name} ${variable}`).toMatch(/^\/run\/secrets\//);
});

test("every container has a read-only root and no capability that it does not need", () => {
  for (const [name, service] of services) {
    expect(service.read_only, name).toBe(true);
    expect(service.cap_drop, name).toEqual(["ALL"]);
    expect(service.privileged, name).toBeUndefined();
    expect(service.security_opt, name).toContain("no-new-privileges:true");
  }
  const withMore = services.filter(([, { cap_add }]) => cap_add !== undefined);
  expect(withMore.map(([name]) => name)).toEqual(["secrets", "postgres"]);
});

test("only this machine reaches a port, and database and engine have no way out", () => {
  for (const [name, { ports = [] }] of services)
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  for (const name of ["postgres", "engine"]) {
    const networks = compose.services[name]?.networks ?? [];
    expect(networks.length).toBeGreaterThan(0);
    for (const network of networks) expect(compose.networks[network]?.internal).toBe(true);
  }
});

test("in the evaluation, PUBLIC_URL is the api for you and for the sandbox alike", async () => {
  const files = ["compose.yaml", "deploy/compose.evaluation.yaml"];
  const settings = { PUBLIC_URL: "http://localhost:9000", API_PORT: "9000" };
  const { services: ours } = await readComposeFiles(files, settings);
  expect(ours["sandbox"]?.environment?.["SANDBOX_SERVICE_URL"]).toBe(settings.PUBLIC_URL);
  expect(ours["api"]?.environment?.["API_PORT"]).toBe("9000");
  for (const name of ["api", "sandbox"]) {
    expect(ours[name]?.network_mode, name).toBe("service:worker");
    expect(ours[name]?.networks ?? ours[name]?.ports, name).toBeUndefined();
  }
  expect(ours["worker"]?.ports).toEqual(["127.0.0.1:9000:9000"]);
});
