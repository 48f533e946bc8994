import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The clients' folder of the installed package: the tarballs and the wheel that it came with. */
const installed = fileURLToPath(new URL("../clients", import.meta.url));
/** The clients' folder of a checkout, where `npm run pack` writes them. */
const packed = fileURLToPath(new URL("../../../node_modules/.cache/packages", import.meta.url));

/** The folder of the clients that the service serves; in a checkout it may be made later. */
export function findPackagesDir(): string {
  return existsSync(installed) ? installed : packed;
}
