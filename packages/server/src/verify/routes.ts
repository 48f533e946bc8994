import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { createWindow } from "../flow/window.ts";
import { refusals } from "../http/error-answers.ts";
import { findBySha256 } from "./find-outputs.ts";
import { arrivalMsMax, fileBytesMax, tooLarge } from "./pass-file.ts";
import { sha256Query, verifyAnswer } from "./schema.ts";
import { createVerifier } from "./verify-file.ts";
import { viewFinding } from "./view-finding.ts";

const url = "/api/v1/verify";
const tags = ["verify"];
/** The files of one network in ten minutes, per process. */
const filesMax = 30;
const windowMs = 10 * 60_000;

/** Whether a file was made here, for anybody. */
export function verifyRoutes(ctx: Context): FastifyPluginAsyncZod {
  const verifier = createVerifier(ctx);
  const files = createWindow(windowMs);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _body, done) => done(null)); // read as a stream below

    app.get(
      url,
      {
        config: { isPublic: true },
        schema: {
          operationId: "verifySha256",
          summary: "Check by its SHA-256 whether a file was made here",
          description:
            "For everybody, without a key. Finds files that have not changed; send the file itself to find changed ones. Nothing says whose output it is.",
          tags,
          querystring: sha256Query,
          response: { 200: verifyAnswer, ...refusals(400, 429, 500) },
        },
      },
      async ({ query: { sha256 } }) => {
        const made = await findBySha256(ctx, sha256);
        return viewFinding({ sha256, made, similar: [], isOpened: false, marks: [] });
      },
    );

    app.post(
      url,
      {
        bodyLimit: fileBytesMax,
        config: { isPublic: true, arrivalMsMax },
        schema: {
          operationId: "verifyFile",
          summary: "Check whether a file was made here",
          description:
            "For everybody, without a key. The body is the file itself, at most 200 MB, of any type; it is opened in a confined process and not stored. Finds outputs of this service after another encoding, at another size or slightly cropped as `similar`, and reads the marks in the file. An IP address may send 30 files in 10 minutes, one at a time.",
          tags,
          response: { 200: verifyAnswer, ...refusals(400, 413, 429, 500) },
        },
      },
      async (request, reply) => {
        reply.header("connection", "close"); // what is left of a body that is refused is not read
        if (Number(request.headers["content-length"]) > fileBytesMax) throw tooLarge();
        const { network } = request.facts;
        const { count, secondsLeft } = files.add(network);
        if (count > filesMax)
          throw new ApiError("rate_limited", { retryAfterSeconds: secondsLeft });
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const verification = await verifier.verify(request.raw, { network, gone: gone.signal });
        reply.removeHeader("connection");
        return verification;
      },
    );
  };
}
