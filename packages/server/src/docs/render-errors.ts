import { STATUS_CODES } from "node:http";
import { type CatalogueEntry, type ErrorCode, errorCatalogue, uncertainCodes } from "../errors.ts";
import { renderTable } from "./markdown.ts";

/** The error catalogue for readers. */
export function renderErrors(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const isStaff = (code: ErrorCode) => (errorCatalogue[code] as CatalogueEntry).staff === true;
  const refusals = codes.filter((code) => errorCatalogue[code].status !== null);
  const failures = codes.filter((code) => {
    const entry: CatalogueEntry = errorCatalogue[code];
    return entry.status === null || entry.endsTask === true;
  });
  return `# Errors

## Refused requests

The body has \`message\`, \`code\` and \`requestId\` (also in the header \`X-Request-Id\`), and for a 400 the invalid parameter in \`param\`. The message may be more specific than the one below; the code is stable.

${renderTable(
  ["code", "status", "message", "may the same request succeed later?", "credits"],
  refusals
    .filter((code) => !isStaff(code))
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .sort((a, b) => Number(a.status) - Number(b.status))
    .map(({ code, status, sentence, retryMayHelp }) => [
      `\`${code}\``,
      `${status} ${STATUS_CODES[Number(status)]}`,
      sentence,
      retryMayHelp ? "yes" : "no",
      uncertainCodes.includes(code)
        ? "unknown: repeat the request with the same `Idempotency-Key`, which creates at most one task"
        : "nothing is held",
    ]),
)}
## Failed tasks

A failed generation task has the message in \`error\` and the code in \`errorCode\`; a failed upscale task has both in \`error\`, as \`message\` and \`code\`. The hold is always released in the same transaction, and \`creditsUsed\` is 0.

${renderTable(
  ["errorCode", "message", "may a new task with the same inputs succeed?", "credits"],
  failures.map((code) => [
    `\`${code}\``,
    errorCatalogue[code].sentence,
    errorCatalogue[code].retryMayHelp ? "yes" : "no",
    "refunded",
  ]),
)}
## Refused requests of the operator API

${renderTable(
  ["code", "status", "message", "may the same request succeed later?"],
  refusals
    .filter(isStaff)
    .map((code) => [
      `\`${code}\``,
      `${errorCatalogue[code].status}`,
      errorCatalogue[code].sentence,
      errorCatalogue[code].retryMayHelp ? "yes" : "no",
    ]),
)}`;
}
