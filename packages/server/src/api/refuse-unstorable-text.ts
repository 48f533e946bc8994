import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalid } from "../errors.ts";

const rule = "must not contain NUL characters or lone surrogates";
const encodingRule = "must be valid UTF-8 without NUL characters, percent-encoded";

/**
 * Refuses text that PostgreSQL cannot store, anywhere in a request and before any route, so that no
 * field has to check for it. Bodies must be UTF-8: the framework would silently replace other bytes.
 */
export function refuseUnstorableText(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    (request, body: Buffer, done) => {
      if (!isUtf8(body))
        return done(
          new ApiError("invalid_json", { param: "body", message: "body: must be UTF-8" }),
        );
      void parseJson(request, body.toString("utf8"), done);
    },
  );
  app.addHook("preValidation", async (request) => {
    if (request.is404) return;
    checkQuery(request.raw.url ?? "");
    for (const part of [request.params, request.headers]) checkMembers(part);
    if (!request.routeOptions.config.isPublic) checkBody(request);
  });
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Checks the raw query: the parser leaves invalid UTF-8 undecoded. */
function checkQuery(url: string): void {
  const start = url.indexOf("?");
  if (start === -1) return;
  for (const pair of url.slice(start + 1).split("&")) {
    const [name = "", ...rest] = pair.split("=");
    const known = decode(name);
    if (known === null) throw invalid("query", `contains a name that ${encodingRule}`);
    if (decode(rest.join("=")) === null) throw invalid(known, encodingRule);
  }
}

function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return isStorable(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

function checkMembers(members: unknown): void {
  for (const [name, value] of Object.entries(members ?? {}))
    if (typeof value === "string" && !isStorable(value)) throw invalid(name, rule);
}

interface Place {
  value: unknown;
  name: string | number;
  parent: Place | null;
}

/** Iterative: a body may be nested as deeply as it is long. */
function checkBody({ body }: FastifyRequest): void {
  const places: Place[] = [{ value: body, name: "body", parent: null }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value } = place;
    if (typeof value === "string" && !isStorable(value)) throw invalid(pathOf(place), rule);
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      if (!isList && !isStorable(name))
        throw invalid(pathOf(place), `contains a member whose name ${rule}`);
      places.push({ value: member, name: isList ? Number(name) : name, parent: place });
    }
  }
}

const pathCharactersMax = 200;

function pathOf(place: Place): string {
  const names: string[] = [];
  let length = 0;
  for (let at: Place = place; at.parent !== null; at = at.parent) {
    const { name, parent } = at;
    const isFirst = parent.parent === null;
    const text = typeof name === "number" ? `[${name}]` : `${isFirst ? "" : "."}${name}`;
    names.unshift(text);
    length += text.length;
    if (length > pathCharactersMax) return "body";
  }
  return names.join("") || "body"; // a member may have no name
}
