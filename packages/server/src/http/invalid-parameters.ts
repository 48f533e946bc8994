import type { z } from "zod";
import { type ApiError, invalid } from "../errors.ts";

const nameCharactersMax = 100;

/**
 * A validation error as a 400 that names the field: `inputs.urls[2]: must be …`. An unknown member is
 * reported first: it is often a misspelling of one that is missing.
 */
export function invalidParameters(error: z.core.$ZodError, prefix: string): ApiError {
  const issue = unrecognizedKeysOf(error) ?? error.issues[0];
  if (issue === undefined) return invalid(prefix || "body", { en: "is not valid", zh: "无效" });
  const unknownKey = unrecognizedKey(error);
  if (unknownKey === "")
    return invalid(renderPath(prefix, issue.path) || "body", {
      en: "must not contain a member with an empty name",
      zh: "不能包含名称为空的成员",
    });
  if (unknownKey !== undefined)
    return invalid(renderPath(prefix, [...issue.path, unknownKey]), {
      en: "is not accepted here",
      zh: "此处不接受该参数",
    });
  return invalid(renderPath(prefix, issue.path) || "body", {
    en: issue.message,
    zh: ruleInChinese(issue),
  });
}

const units: Record<string, string> = { string: " 个字符", array: " 项", set: " 项" };
const types: Record<string, string> = {
  string: "字符串",
  number: "数字",
  int: "整数",
  boolean: "布尔值",
  array: "数组",
  object: "对象",
};

/** Returns a rule in Chinese by its kind; a rule with its own sentence remains in English. */
function ruleInChinese(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_big":
      return `最大为 ${issue.maximum}${units[issue.origin] ?? ""}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "不能为空"
        : `最小为 ${issue.minimum}${units[issue.origin] ?? ""}`;
    case "invalid_type":
      return `必须是${types[issue.expected] ?? ` ${issue.expected}`}`;
    case "invalid_value":
      return `必须是 ${issue.values.map(String).join("、")} 之一`;
    case "not_multiple_of":
      return `必须是 ${issue.divisor} 的倍数`;
    default:
      return `不符合要求（${issue.message}）`;
  }
}

/** The name of an unknown member, truncated. */
export function unrecognizedKey(error: z.core.$ZodError): string | undefined {
  return unrecognizedKeysOf(error)?.keys[0]?.slice(0, nameCharactersMax);
}

function unrecognizedKeysOf(error: z.core.$ZodError) {
  return error.issues.find((issue) => issue.code === "unrecognized_keys");
}

function renderPath(prefix: string, path: readonly PropertyKey[]): string {
  let text = prefix;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}
