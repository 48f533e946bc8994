import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalid } from "../errors.ts";
import { faultOfShape } from "./json-shape.ts";

const rule = "must not contain NUL characters or lone surrogates";
const prototypeRule = "must not contain a member named __proto__ or constructor.prototype";
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
      const encoding = request.headers["content-encoding"] ?? "identity";
      if (encoding.toLowerCase() !== "identity") return done(encoded(encoding));
      if (!isUtf8(body)) return done(unreadable("must be UTF-8"));
      const fault = faultOfShape(body);
      if (fault !== null) return done(unreadable(fault));
      const text = body.toString("utf8");
      void parseJson(request, text, (error, value) =>
        error !== null && isJson(text) ? done(unreadable(prototypeRule)) : done(error, value),
      );
    },
  );
  app.addHook("preValidation", async (request) => {
    if (request.is404) return;
    checkQuery(request.raw.url ?? "");
    for (const part of [request.params, request.headers]) checkMembers(part);
    if (!request.routeOptions.config.isPublic) checkBody(request);
  });
}

function unreadable(rule: string): ApiError {
  return new ApiError("invalid_json", { param: "body", message: `body: ${rule}` });
}

function encoded(encoding: string): ApiError {
  const name = /^[\w-]{1,20}$/.test(encoding) ? `'${encoding}'` : "of this body";
  return new ApiError("unsupported_media_type", {
    message: `The content encoding ${name} is not supported. Send the body as it is, without 'Content-Encoding'.`,
  });
}

/** Asked of what the parser refused: then it is only the names that it does not take. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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

interface JsonNode {
  value: unknown;
  name: string | number;
  parent: JsonNode | null;
}

/** Iterative: a body may be nested as deeply as it is long. */
function checkBody({ body }: FastifyRequest): void {
  const nodes: JsonNode[] = [{ value: body, name: "body", parent: null }];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { value } = node;
    if (typeof value === "string" && !isStorable(value)) throw invalid(pathOf(node), rule);
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      if (!isList && !isStorable(name))
        throw invalid(pathOf(node), `contains a member whose name ${rule}`);
      nodes.push({ value: member, name: isList ? Number(name) : name, parent: node });
    }
  }
}

const pathCharactersMax = 200;

function pathOf(node: JsonNode): string {
  const names: string[] = [];
  let length = 0;
  for (let at: JsonNode = node; at.parent !== null; at = at.parent) {
    const { name, parent } = at;
    const isFirst = parent.parent === null;
    const text = typeof name === "number" ? `[${name}]` : `${isFirst ? "" : "."}${name}`;
    names.unshift(text);
    length += text.length;
    if (length > pathCharactersMax) return "body";
  }
  return names.join("") || "body"; // a member may have no name
}
