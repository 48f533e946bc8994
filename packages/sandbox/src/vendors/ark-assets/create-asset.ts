import type { FastifyReply } from "fastify";
import type { Faults } from "../../kit/faults.ts";
import { readScript, type Script, UnknownDirectiveError } from "../../kit/script.ts";
import { createTextCount, spoilAnswer } from "../../kit/spoiled-answers.ts";
import { readCreateAsset } from "./actions.ts";
import type { AssetLibrary } from "./asset-library.ts";
import { AssetsError, invalidParameter, notFound } from "./errors.ts";
import { failureOf } from "./outcomes.ts";

/** Returns the Result of the response, or the reply when the script has spoilt it. */
export type CreateAsset = (body: unknown, reply: FastifyReply) => { Id: string } | FastifyReply;

/**
 * Handles CreateAsset: judges it, applies the directives in its name, registers it and responds as
 * scripted.
 */
export function createCreateAsset(library: AssetLibrary, faults: Faults): CreateAsset {
  const countName = createTextCount();
  return (body, reply) => {
    const fields = readCreateAsset(body);
    const group = library.findGroup(fields.GroupId, fields.ProjectName);
    if (!group) throw notFound("group", fields.GroupId);
    const script = { ...scriptOf(fields.Name), ...faults.take("ark-assets") };
    refuseAsScripted(script, () => countName(fields.Name));
    const asset = library.addAsset(
      {
        groupId: group.id,
        projectName: fields.ProjectName,
        name: fields.Name,
        type: fields.AssetType,
        sourceUrl: fields.URL,
        strategy: fields.Moderation?.Strategy ?? "Default",
      },
      script,
    );
    const spoilt = spoilAnswer(reply, script);
    if (spoilt) return spoilt;
    if (script.answer === "500") {
      throw new AssetsError("InternalError", "The sandbox has the asset and says it has not.");
    }
    return { Id: asset.id };
  };
}

function scriptOf(name: string): Script {
  try {
    return readScript(name);
  } catch (error) {
    if (error instanceof UnknownDirectiveError) throw invalidParameter(error.message);
    throw error;
  }
}

function refuseAsScripted(script: Script, countName: () => number) {
  if (script.refuse !== undefined) {
    const { code, message } = failureOf(script.refuse);
    throw new AssetsError(code, message);
  }
  if (script.throttle !== undefined && countName() <= script.throttle) {
    throw new AssetsError("FlowLimitExceeded", "Too many requests; try again later.");
  }
  if (script.answer === "lost") {
    throw new AssetsError("InternalError", "The sandbox was scripted to lose this request.");
  }
}
