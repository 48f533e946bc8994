import { join } from "node:path";
import { root } from "./list-packages.ts";
import { packPackages } from "./pack-packages.ts";

/**
 * `npm run -s pack -- DIR`: writes what people install to DIR, tarballs for npm and a wheel for Python, and
 * prints the paths. Without DIR it goes to where `npm run dev` serves it from.
 */
const [dir = join(root, "node_modules/.cache/packages")] = process.argv.slice(2);
for (const tarball of await packPackages(dir)) process.stdout.write(`${tarball}\n`);
