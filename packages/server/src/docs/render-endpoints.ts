import { renderTable } from "./markdown.ts";

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean; description?: string }[];
  responses?: Record<string, { description?: string }>;
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
}

/** Renders every endpoint of the customers' OpenAPI document for readers, by its tag. */
export function renderEndpoints({ paths = {} }: Document): string {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const byTag = Object.groupBy(endpoints, ({ operation: { tags = [] } }) => tags[0] ?? "other");
  const sections = Object.entries(byTag).map(
    ([tag, of = []]) =>
      `## ${tag}\n\n${of.map((one) => renderEndpoint(one.name, one.operation)).join("\n")}`,
  );
  return `# Endpoints

Every endpoint of the API for customers. [The API](../api.md) explains how they work together; [OpenAPI](./openapi.json) has the schemas of bodies and responses; a running service shows them at \`/reference\`.

${sections.join("\n")}`;
}

function renderEndpoint(name: string, { summary, description, ...rest }: Operation): string {
  const { security = [], parameters = [], responses = {} } = rest;
  const query = parameters.filter((parameter) => parameter.in !== "header");
  const inputs = renderTable(
    ["parameter", "required", "meaning"],
    query.map((one) => [`\`${one.name}\``, one.required ? "yes" : "no", one.description ?? ""]),
  );
  return `### ${name}

${summary}. ${description}

${describeAccess(security)} Responses: ${Object.keys(responses).join(", ")}.
${query.length === 0 ? "" : `\n${inputs}`}`;
}

function describeAccess(security: Record<string, string[]>[]): string {
  if (security.length === 0) return "Needs no key.";
  const scopes = security.flatMap(({ key = [] }) => key);
  if (scopes.length > 0)
    return `Scope: ${scopes.map((scope) => `\`${scope}\``).join(" or ")}, or a session.`;
  return security.some((one) => "key" in one) ? "Any key." : "A session.";
}
