import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Prints what an image contains, as CycloneDX 1.6: the npm packages that are installed and the packages
 * of dpkg. The same content gives the same bytes, so there is no time in it.
 *
 *   node make-sbom.ts node_modules/.package-lock.json … /var/lib/dpkg/status
 */
interface Component {
  type: "library" | "application";
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: "SHA-512"; content: string }[] | undefined;
  licenses?: [LicenseChoice] | undefined;
}

interface Installed {
  version?: string;
  link?: boolean;
  integrity?: string;
  license?: string;
}

const lockfiles = process.argv.slice(2);
const status = lockfiles.pop();
if (lockfiles.length === 0 || status === undefined) {
  process.stderr.write("Usage: node make-sbom.ts node_modules/.package-lock.json … dpkg-status\n");
  process.exit(2);
}
const npm = await Promise.all(lockfiles.map(readNpm));
const found = [...npm.flat(), ...(await readDpkg(status))];
const components = [...new Map(found.map((one) => [one.purl, one])).values()].sort((a, b) =>
  a.purl < b.purl ? -1 : 1,
);
process.stdout.write(`${JSON.stringify(describe(components), null, 2)}\n`);

function describe(all: Component[]) {
  const digest = createHash("sha256").update(JSON.stringify(all)).digest("hex");
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${[...groups, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join("-")}`,
    version: 1,
    metadata: { component: { type: "container", name: "zoetrope" } },
    components: all,
  };
}

/** A package that the list names but that was removed from the image is left out. */
async function readNpm(path: string): Promise<Component[]> {
  const { packages } = JSON.parse(await readFile(path, "utf8")) as {
    packages: Record<string, Installed>;
  };
  const root = dirname(dirname(path));
  return Object.entries(packages).flatMap(([place, { version, link, integrity, license }]) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    if (name === undefined || version === undefined || link || !existsSync(join(root, place)))
      return [];
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const sha512 = integrity?.startsWith("sha512-") ? integrity.slice("sha512-".length) : null;
    return {
      type: "library" as const,
      "bom-ref": purl,
      name,
      version,
      purl,
      hashes: sha512 === null ? undefined : [{ alg: "SHA-512", content: hexOf(sha512) }],
      licenses: license === undefined ? undefined : [licenseOf(license)],
    };
  });
}

type LicenseChoice = { expression: string } | { license: { name: string } };

/** Anything that does not look like an SPDX expression is given as a name. */
function licenseOf(license: string): LicenseChoice {
  const isExpression = /^\(?[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*\)?$/.test(license);
  return isExpression && license !== "UNLICENSED"
    ? { expression: license }
    : { license: { name: license } };
}

function hexOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}

async function readDpkg(path: string): Promise<Component[]> {
  const stanzas = (await readFile(path, "utf8")).split(/\n\n+/);
  return stanzas.flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(stanza)?.[1];
    const [name, version, architecture] = [
      field("Package"),
      field("Version"),
      field("Architecture"),
    ];
    if (name === undefined || version === undefined) return [];
    if (field("Status") !== "install ok installed") return [];
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`;
    return { type: "library" as const, "bom-ref": purl, name, version, purl };
  });
}
