import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { unknownSettings } from "./engine-settings.ts";
import { digestOfSources, type KubernetesObject, readRendered } from "./render.ts";
import { schemaFaults, unknownFields } from "./validate-objects.ts";

const rendered = {
  small: await readRendered("small"),
  production: await readRendered("production"),
};
const overlays = { small: rendered.small.objects, production: rendered.production.objects };
const all = Object.entries(overlays);

interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string }[];
  securityContext?: Record<string, unknown>;
  resources?: { limits?: Record<string, string> };
}

interface PodSpec {
  containers: Container[];
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  securityContext?: { runAsNonRoot?: boolean };
}

function podsOf(objects: readonly KubernetesObject[]): { owner: string; pod: PodSpec }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const template = (spec as { template?: { spec: PodSpec } } | undefined)?.template;
    return template === undefined
      ? []
      : [{ owner: `${kind} ${metadata.name}`, pod: template.spec }];
  });
}

function specOf(objects: readonly KubernetesObject[], kind: string, name: string) {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found.spec as Record<string, unknown>;
}

test("the rendered manifests are of the sources that are here: write-rendered.ts makes them anew", async () => {
  expect(rendered.small.digest).toBe(await digestOfSources("small"));
  expect(rendered.production.digest).toBe(await digestOfSources("production"));
});

test.for(all)("every object of %s is valid by its published schema", async ([, objects]) => {
  expect(objects.length).toBeGreaterThan(15);
  expect(await schemaFaults(objects)).toEqual([]);
  expect(await unknownFields(objects)).toEqual([]);
});

test("a wrong type, a missing field and a field that does not exist are found", async () => {
  const [service] = overlays.small.filter(({ kind }) => kind === "Service");
  if (service === undefined) throw new Error("no service");
  const broken = (spec: object): KubernetesObject => ({ ...service, spec });
  expect(await schemaFaults([broken({ ports: [{ port: "80" }] })])).not.toEqual([]);
  expect(await schemaFaults([broken({ ports: [{ name: "http" }] })])).not.toEqual([]);
  expect(await unknownFields([broken({ prots: [{ port: 80 }] })])).not.toEqual([]);
});

test.for(all)(
  "no container of %s runs as root, writes to its root or gains rights",
  ([, objects]) => {
    const pods = podsOf(objects);
    expect(pods.map(({ owner }) => owner)).toContain("Job migrate");
    for (const { owner, pod } of pods) {
      expect(pod.securityContext?.runAsNonRoot, owner).toBe(true);
      expect(pod.automountServiceAccountToken, owner).toBe(false);
      // Kubernetes would set API_PORT to an address, which the api refuses.
      expect(pod.enableServiceLinks, owner).toBe(false);
      for (const { securityContext, resources, image } of pod.containers) {
        expect(securityContext, owner).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(resources?.limits, owner).toHaveProperty("memory");
        expect(image, owner).toMatch(/^[a-z.]+\/.+:(?!latest$).+$/);
      }
    }
  },
);

test.for(all)(
  "%s talks to nobody unless a policy allows it, and holds no secret",
  ([, objects]) => {
    expect(specOf(objects, "NetworkPolicy", "nothing")).toEqual({
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
    });
    expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
    for (const { pod } of podsOf(objects))
      for (const { env = [] } of pod.containers)
        for (const variable of env.filter(({ name }) =>
          /PASSWORD$|SECRET|_KEY_ID$|_URL$/.test(name),
        ))
          expect(variable).toHaveProperty("valueFrom.secretKeyRef");
    const settings = objects.find(({ metadata }) => metadata.name.startsWith("settings-"));
    const { data } = settings as unknown as { data: Record<string, string> };
    expect(Object.keys(data)).toContain("DATABASE_URL_FILE");
    for (const [name, value] of Object.entries(data))
      if (/PASSWORD|SECRET|_KEY|DATABASE_URL|VENDORS/.test(name))
        expect(value, name).toMatch(/^\/run\/secrets\/service\/[A-Z0-9_]+$/);
  },
);

test.for(all)("in %s the engine and the api reach workers, and nobody else", ([, objects]) => {
  const { ingress } = specOf(objects, "NetworkPolicy", "worker");
  const values = ["api", "engine"];
  const callers = { key: "app.kubernetes.io/component", operator: "In", values };
  expect(ingress).toEqual([
    { from: [{ podSelector: { matchExpressions: [callers] } }], ports: [{ port: 9080 }] },
  ]);
});

test("PostgreSQL in small makes the same login as PostgreSQL in compose.yaml", async () => {
  const init = overlays.small.find(({ metadata }) => metadata.name === "postgres-init");
  const script = new URL("../../deploy/postgres/create-login.sh", import.meta.url);
  expect(init).toMatchObject({ data: { "create-login.sh": await readFile(script, "utf8") } });
});

test("production has three engine nodes with snapshots, and a budget and a scale for what may be many", () => {
  const { production } = overlays;
  expect(specOf(production, "StatefulSet", "engine")).toMatchObject({ replicas: 3 });
  const engine = podsOf(production).find(({ owner }) => owner === "StatefulSet engine");
  const names = engine?.pod.containers[0]?.env?.map(({ name }) => name);
  expect(names).toContain("RESTATE_WORKER__SNAPSHOTS__DESTINATION");
  for (const name of ["api", "worker"]) {
    expect(specOf(production, "HorizontalPodAutoscaler", name)).toMatchObject({ minReplicas: 3 });
    expect(specOf(production, "Deployment", name)).not.toHaveProperty("replicas");
  }
  for (const name of ["api", "worker", "engine"])
    expect(specOf(production, "PodDisruptionBudget", name)).toMatchObject({ maxUnavailable: 1 });
});

test.for(all)("the engine of %s knows every setting that it is given", async ([, objects]) => {
  const engine = podsOf(objects).find(({ owner }) => owner === "StatefulSet engine");
  const variables = engine?.pod.containers[0]?.env ?? [];
  const settings = variables.filter(({ name }) => name.startsWith("RESTATE_"));
  expect(settings.length).toBeGreaterThan(8);
  const environment = settings.map(({ name, value = "planted" }) => [
    name,
    value.replace("$(POD_NAME)", "engine-0"),
  ]);
  expect(await unknownSettings(Object.fromEntries(environment))).toEqual([]);
});
