import { STATUS_CODES } from "node:http";
import { type CatalogueEntry, type ErrorCode, errorCatalogue, uncertainCodes } from "../errors.ts";
import { renderTable } from "./markdown.ts";

/** The error catalogue for readers. */
export function renderErrors(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const refusals = codes.filter((code) => errorCatalogue[code].status !== null);
  const failures = codes.filter((code) => {
    const entry: CatalogueEntry = errorCatalogue[code];
    return entry.status === null || entry.endsTask === true;
  });
  return `# Errors

## Refused requests

The body has \`message\`, \`code\` and \`requestId\` (also in the header \`X-Request-Id\`), and for a 400 the \`param\` at fault. The sentence may be more specific than the one below; the code stays.

${renderTable(
  ["code", "status", "what it says", "may the same request pass later?", "credits"],
  refusals
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .sort((a, b) => Number(a.status) - Number(b.status))
    .map(({ code, status, sentence, retryMayHelp }) => [
      `\`${code}\``,
      `${status} ${STATUS_CODES[Number(status)]}`,
      sentence,
      retryMayHelp ? "yes" : "no",
      uncertainCodes.includes(code)
        ? "not known: repeat it with the same `Idempotency-Key`, and it is at most one task"
        : "nothing is held",
    ]),
)}
## Failed tasks

An accepted task that fails has the sentence in \`error\` and the code in \`errorCode\`; an upscale has both in \`error\`, as \`message\` and \`code\`. What it held is given back in the same transaction, always: \`creditsUsed\` is 0.

${renderTable(
  ["errorCode", "what it says", "may a new task with the same inputs succeed?", "credits"],
  failures.map((code) => [
    `\`${code}\``,
    errorCatalogue[code].sentence,
    errorCatalogue[code].retryMayHelp ? "yes" : "no",
    "given back",
  ]),
)}`;
}
