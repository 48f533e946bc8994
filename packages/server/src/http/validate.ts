import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { invalidParameters } from "./invalid-parameters.ts";

/** Validates the input that a route declares; a fault becomes a 400 that names the field. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const known = httpPart === "querystring" ? knownOf(schema, data) : data;
    const parsed = schema.safeParse(withoutNulls(schema, known));
    if (parsed.success) return { value: parsed.data };
    return { error: invalidParameters(parsed.error, "") };
  };

/**
 * Returns the data without unknown names of a query, since caches and trackers add some. Numbers must be
 * written in digits: `0x10` and `1e1` are refused.
 */
function knownOf(schema: unknown, data: unknown): unknown {
  const shapes = shapesOf(schema);
  if (shapes.length === 0 || typeof data !== "object" || data === null) return data;
  const isKnown = ([name]: [string, unknown]) => shapes.some((shape) => Object.hasOwn(shape, name));
  const isNumber = (name: string) => shapes.some((shape) => isNumeric(shape[name]));
  const readNumber = ([name, value]: [string, unknown]): [string, unknown] =>
    isNumber(name) && !digits.test(String(value)) ? [name, Number.NaN] : [name, value];
  return Object.fromEntries(Object.entries(data).filter(isKnown).map(readNumber));
}

const digits = /^-?\d+(\.\d+)?$/;

function isNumeric(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isNumeric(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isNumeric(schema.in);
  return schema instanceof z.ZodNumber;
}

/**
 * A member that is null is the same as one that is left out, of every body and at any depth that its
 * schema describes. Names that the schema does not know stay, so that they are refused. A member that is
 * `nullable` on the outside stays as well: there null is a value, such as no limit.
 */
function withoutNulls(schema: unknown, data: unknown): unknown {
  const shapes = shapesOf(schema);
  if (shapes.length === 0 || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const isDropped = (name: string) =>
    shapes.some((shape) => Object.hasOwn(shape, name)) &&
    !shapes.some((shape) => shape[name] instanceof z.ZodNullable);
  const kept = Object.entries(data)
    .filter(([name, value]) => value !== null || !isDropped(name))
    .map(([name, value]): [string, unknown] => {
      const member = shapes.find((shape) => Object.hasOwn(shape, name))?.[name];
      return [name, withoutNulls(member, value)];
    });
  return Object.fromEntries(kept);
}

/** The members of an object, or of each object of a union. */
function shapesOf(schema: unknown): Record<string, unknown>[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf);
  return [];
}
