import { randomUUID } from "node:crypto";
import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { PermissionError } from "@zoetrope/sdk";
import { z } from "zod";
import { answer, refuse } from "./answer.ts";
import { cleanText } from "./clean-text.ts";
import { canAsk, clientName } from "./client-facts.ts";
import { digestOf } from "./digest.ts";
import type { Approval, McpContext } from "./mcp-context.ts";

/** The time that a person may take to decide. */
export const approvalSecondsMax = 3_600;

export interface Purchase {
  tool: string;
  args: { maxCredits?: number | undefined };
  /** The subject of the question, such as `A video with sd2`. */
  what: string;
  /** null: it is known only later; the service keeps to the limit then. */
  price(): Promise<{ credits: number } | null>;
}

export type Decision =
  /** `limit`: the most that the task may cost; undefined: the budget of the key. */
  | { kind: "spend"; limit: number | undefined; idempotencyKey: string }
  | { kind: "answer"; result: CallToolResult | InputRequiredResult };

const question = "price";
const approved = z.object({ approve: z.literal(true) });

/**
 * Whether a call may spend: up to `maxCredits`, above it only what a person has approved. A client that
 * cannot ask one gets the price.
 */
export async function decideSpending(
  context: McpContext,
  ctx: ServerContext,
  purchase: Purchase,
): Promise<Decision> {
  const { tool, args } = purchase;
  const digest = digestOf(tool, args);
  const approval = ctx.mcpReq.requestState<Approval>();
  if (approval !== undefined) return readAnswer(context, ctx, approval, digest);
  const limit = args.maxCredits;
  if (limit === undefined && !(await hasBudget(context)))
    return refused("max_credits_required", "maxCredits is required: the API key has no budget.", {
      price: await purchase.price(),
    });
  const price = await purchase.price();
  if (limit !== undefined && price !== null && price.credits > limit)
    return askForMore(context, ctx, { purchase, digest, price, limit });
  // A client repeats a call with the id that it had.
  const idempotencyKey = keyOf(context, "call", clientName(context, ctx), ctx.mcpReq.id, digest);
  return { kind: "spend", limit, idempotencyKey };
}

function readAnswer(
  context: McpContext,
  { mcpReq }: ServerContext,
  { credits, nonce, digest }: Approval,
  digestNow: string,
): Decision {
  if (digest !== digestNow)
    return refused("question_mismatch", "The answer belongs to a call with other arguments.");
  if (acceptedContent(mcpReq.inputResponses, question, approved) === undefined) {
    const message = `The user did not approve ${credits} credits. Nothing was created or charged.`;
    return { kind: "answer", result: answer({ declined: true, message }) };
  }
  return { kind: "spend", limit: credits, idempotencyKey: keyOf(context, "answer", nonce) };
}

async function askForMore(
  context: McpContext,
  ctx: ServerContext,
  request: { purchase: Purchase; digest: string; price: { credits: number }; limit: number },
): Promise<Decision> {
  const { purchase, digest, price, limit } = request;
  const { credits } = price;
  const costs = `${cleanText(purchase.what)} costs ${credits} credits, above the limit of ${limit} (maxCredits).`;
  if (!canAsk(context, ctx))
    return refused(
      "price_above_max",
      `${costs} Nothing was created. Ask the user, and if they agree, call again with maxCredits ${credits}.`,
      { price },
    );
  const requestState = await context.questions.mint({ credits, digest, nonce: randomUUID() }, ctx);
  const form = inputRequired.elicit({
    message: costs,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: `Spend ${credits} credits` } },
      required: ["approve"],
    },
  });
  const result = inputRequired({ inputRequests: { [question]: form }, requestState });
  return { kind: "answer", result };
}

/** A key that may not read itself has none that we know of. */
async function hasBudget({ client }: McpContext): Promise<boolean> {
  try {
    return (await client.key()).creditsMax !== null;
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}

function keyOf({ caller }: McpContext, ...parts: unknown[]): string {
  return `mcp-${digestOf(caller, ...parts)}`;
}

function refused(code: string, message: string, more: object = {}): Decision {
  return { kind: "answer", result: refuse(code, message, more) };
}
