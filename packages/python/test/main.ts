// The Python client's tests, `node packages/python/test/main.ts [--full] [--python PATH] [argument of pytest…]`:
// what pytest prints on stderr, and a line of JSON with passed, failed and exactCreates on stdout.
import { parseArgs } from "node:util";
import { runPytest } from "./run-pytest.ts";

const { values, positionals } = parseArgs({
  options: { full: { type: "boolean", default: false }, python: { type: "string" } },
  allowPositionals: true,
});
const { python } = values;
const { report, printed } = await runPytest({
  ...(values.full ? { creates: 500, waitSeconds: 60 } : { creates: 60, waitSeconds: 6 }),
  python,
  args: positionals,
});
process.stderr.write(printed);
process.stdout.write(`${JSON.stringify(report)}\n`);
if (report.failed > 0 || report.passed === 0) process.exitCode = 1;
