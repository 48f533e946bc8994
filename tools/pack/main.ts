import { packPackages } from "./pack-packages.ts";

/** `npm run -s pack -- DIR`: writes a tarball of every published package to DIR and prints their paths. */
const [dir] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write("Usage: npm run -s pack -- DIR\n");
  process.exit(2);
}
for (const tarball of await packPackages(dir)) process.stdout.write(`${tarball}\n`);
