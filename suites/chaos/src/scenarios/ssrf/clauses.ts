import type { Edit } from "./edited-server.ts";
import type { EntryPointName, Row } from "./rows.ts";

/** One check of the guard: the edit that removes it, and rows that need it. */
export interface Clause {
  name: string;
  off: Edit;
  /** Ids of rows of the corpus or of our own, or a row for this clause alone. */
  rows: readonly (string | Row)[];
  /** Left out: images and callbacks. */
  entryPoints?: readonly EntryPointName[];
  /**
   * Edits made before, for a clause that stands behind another, or whose wait is long. With these
   * changes alone, what is measured must still be 0.
   */
  needs?: readonly Edit[];
  /**
   * The measure of what a clause that is off lets happen. Default: anything that is wrong with a
   * row, or a connection to a forbidden address. `requests` are connections on which data was sent.
   */
  measure?: "connections" | "requests";
}

const guard = edits("media/fetch/public-address.ts");
const fetching = edits("media/fetch/safe-fetch.ts");
const names = edits("media/fetch/resolve-name.ts");
const downloads = edits("media/fetch/download.ts");

function edits(file: string) {
  return (text: string, instead: string): Edit => ({ file, text, instead });
}

const literals = guard("if (isIP(host) !== 0)", "if (false)");
const checkedAddress = fetching("hostname: address, servername", "servername");
const within2s = fetching("AbortSignal.timeout(options.totalMsMax)", "AbortSignal.timeout(2_000)");

/**
 * Returns a row whose name is public at the first question and private at the second, with a
 * separate name and one entry point for each use.
 */
function rebinding(name: string): Row {
  return { id: `R-${name}`, url: `http://rebind-${name}.test/`, verdicts: { image: "either" } };
}

/** Clauses about the form of a URL, which is refused at once. */
const byForm: readonly Clause[] = [
  {
    name: "a URL can be read",
    off: guard('return "must be a valid URL"', "return null"),
    rows: ["S038", "S119", "S130"],
  },
  {
    name: "http and https only",
    off: guard("if (!protocols.includes(url.protocol))", "if (false)"),
    rows: ["S096", "S097"],
  },
  {
    name: "no user name or password",
    off: guard('url.username !== "" || url.password !== ""', "false"),
    rows: ["S108", "S109"],
  },
  {
    name: "no ports of other protocols",
    off: guard("!isWebPort(url.port) && ", "false && "),
    rows: ["S125", "S126", "S127"],
  },
  {
    name: "addresses written as numbers, by form",
    off: literals,
    rows: ["S001", "S017", "S030", "S068"],
  },
  {
    name: "private names",
    off: guard("isPrivateName && ", "false && "),
    rows: ["O01", "S007", "S071"],
  },
  {
    name: "names without a dot",
    off: guard('!host.includes(".") && ', "false && "),
    rows: ["O03", "S072", "S073"],
  },
  {
    name: "trailing dots taken off",
    off: guard('.replace(/\\.+$/, "")', ""),
    rows: ["O02", "S006"],
  },
  {
    name: "form of createTask's files",
    off: edits("generation/plan-task.ts")("  checkAddresses(ctx, planned);", ""),
    rows: ["S001", "S074"],
    entryPoints: ["image"],
  },
  {
    name: "form of callBackUrl",
    off: edits("webhooks/callback-url.ts")(
      "if (fault !== null) throw invalid(param, textOfUrlFault(fault));",
      "",
    ),
    rows: ["S001", "S074"],
    entryPoints: ["callback"],
  },
  {
    name: "form of an upload's URL",
    off: edits("assets/upload-asset.ts")(
      'if (fault !== null) throw invalid("url", textOfUrlFault(fault));',
      "",
    ),
    rows: ["S001", "S074"],
    entryPoints: ["asset"],
  },
  {
    name: "form of an upscale's source",
    off: edits("upscale/create-upscale.ts")('throw refused("INVALID_URL", "source.url",', "void ("),
    rows: ["S001", "S074"],
    entryPoints: ["upscale"],
  },
  {
    name: "https alone for an upscale's source",
    off: edits("upscale/source-url.ts")(': ["https:"];', ': ["https:", "http:"];'),
    rows: ["S095"],
    entryPoints: ["upscale"],
  },
];

/** Which addresses are public. */
const byAddress: readonly Clause[] = [
  {
    name: "IPv4 by range",
    off: guard('parsed.range() === "unicast" && ', ""),
    rows: ["S001", "S057", "S062", "S068", "S075", "S080", "S081"],
  },
  { name: "Azure's host", off: guard(" && !parsed.match(azureHost)", ""), rows: ["S074"] },
  {
    name: "IPv6 by allow-list",
    off: guard("parsed.match(ipv6Global) && ", ""),
    rows: ["S014", "S042", "S049", "S064", "S089"],
  },
  {
    name: "IPv6 protocol assignments",
    off: guard('"2001::/23",', ""),
    rows: ["S055", "S092", "S093"],
  },
  { name: "IPv6 documentation", off: guard('"2001:db8::/32",', ""), rows: ["S087"] },
  { name: "6to4", off: guard('"2002::/16",', ""), rows: ["S053", "S054"] },
  { name: "newer IPv6 documentation", off: guard('"3fff::/20",', ""), rows: ["S088"] },
  {
    name: "loopback only where allowed",
    off: guard("policy.allowLoopback && parsed.range()", "parsed.range()"),
    rows: ["S001", "S014", "O06"],
  },
];

/** Clauses about the actual address of a connection. */
const byConnection: readonly Clause[] = [
  {
    name: "addresses of a name",
    off: fetching("!addresses.every((address) => isAllowedAddress(address, policy))", "false"),
    rows: ["O06", "S041"],
  },
  {
    name: "every address of a name, not the first alone",
    off: fetching(
      "!addresses.every((address) => isAllowedAddress(address, policy))",
      "!isAllowedAddress(first, policy)",
    ),
    rows: ["O04", "O05"],
  },
  {
    name: "both families asked for",
    off: names(", resolver.resolve6(name)]", "]"),
    rows: ["O05"],
  },
  {
    name: "connects to the checked address, not to the name",
    off: checkedAddress,
    rows: [rebinding("connect")],
  },
  {
    name: "addresses written as numbers, when connecting (behind: by form)",
    needs: [literals],
    off: fetching("if (!addresses.every(", "if (isIP(host) === 0 && !addresses.every("),
    rows: ["S001", "S057", "S068"],
    measure: "connections",
  },
  {
    name: "the socket's other end (behind: connects to the checked address)",
    needs: [checkedAddress],
    off: fetching("const refusal = checkRemote(socket, policy);", "const refusal = null;"),
    rows: [rebinding("remote")],
    measure: "requests",
  },
];

/** Redirects, and what the other end may send. */
const byAnswer: readonly Clause[] = [
  {
    name: "every redirect checked like a first address",
    off: fetching("if (fault !== null) throw", "if (fault !== null && redirects === 0) throw"),
    rows: ["O07", "O08", "O09"],
    entryPoints: ["image"],
  },
  {
    name: "no redirect from https to http",
    off: fetching('if (url.startsWith("https:")) protocols = ["https:"];', ""),
    rows: ["S148"],
    entryPoints: ["image"],
  },
  {
    name: "three redirects at most",
    off: fetching("if (redirects === options.redirectsMax) throw", "if (false) throw"),
    rows: ["O11", "S150"],
    entryPoints: ["image"],
  },
  {
    name: "no redirect of a callback",
    off: fetching(
      "options.redirectsMax !== undefined ? targetOf(status, headers, url) : null",
      "targetOf(status, headers, url)",
    ),
    rows: ["O10"],
    entryPoints: ["callback"],
  },
  {
    name: "16 KiB of headers",
    off: fetching("maxHeaderSize: responseHeaderBytesMax", "maxHeaderSize: 1024 * 1024"),
    rows: ["S158"],
    entryPoints: ["callback"],
  },
  {
    name: "HTTP/1.1 only",
    off: fetching("const allowH2 = false;", "const allowH2 = true;"),
    rows: ["O17"],
    entryPoints: ["callback"],
  },
  {
    name: "bodies as they are, not packed",
    off: fetching('"accept-encoding": "identity", ', ""),
    rows: ["O15"],
    entryPoints: ["image", "asset"],
  },
  {
    name: "size of a file",
    off: downloads(
      "if (progress.sizeBytes > limits.sizeBytesMax) return done(new TooLarge());",
      "",
    ),
    rows: ["O12"],
    entryPoints: ["image", "asset"],
  },
  {
    name: "size of the answer to a callback",
    off: fetching("if (size >= bytesMax) break;", ""),
    rows: ["O14"],
    entryPoints: ["callback"],
  },
  {
    name: "least rate of a file",
    off: downloads("if (elapsedMs > graceMs && isSlow) tooSlow.abort();", ""),
    rows: ["O13"],
    entryPoints: ["image"],
  },
  {
    name: "time for everything",
    off: fetching("[AbortSignal.timeout(options.totalMsMax), ...signals]", "signals"),
    rows: ["O13"],
    entryPoints: ["callback"],
  },
  {
    name: "time for everything, while there is no connection (made 2 s)",
    needs: [within2s],
    off: fetching(
      "await orAborted(request(url, { ...settings, dispatcher: agent }), signal)",
      "await request(url, { ...settings, dispatcher: agent })",
    ),
    rows: [{ id: "T01", url: "http://slow.test/", verdicts: { callback: /^timed out after/ } }],
  },
  {
    name: "time for a name",
    off: names("resolver.cancel()", "{}"),
    rows: ["O16"],
    entryPoints: ["callback"],
  },
];

export const clauses: readonly Clause[] = [...byForm, ...byAddress, ...byConnection, ...byAnswer];
