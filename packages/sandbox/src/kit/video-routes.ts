import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { VideoStore } from "../render/video/video-store.ts";
import type { VideoLinks } from "./video-links.ts";

/** Stands in for a video where the script asks for bytes that are none. */
export const noVideoName = "no-video.mp4";
const noVideo = Buffer.from("These bytes are no video.\n".repeat(400));

/** A video that the vendor's storage cannot give out, however often it is asked. */
export const brokenVideoName = "broken-video.mp4";

export function registerVideoRoutes(app: FastifyInstance, videos: VideoStore, links: VideoLinks) {
  app.get<{ Params: { name: string }; Querystring: { token?: unknown } }>(
    "/videos/:name",
    async (request, reply) => {
      const { name } = request.params;
      const { token } = request.query;
      const verdict = typeof token === "string" ? links.judge(name, token) : "forged";
      if (verdict === "forged") return refuse(reply, 403, "SignatureDoesNotMatch");
      if (verdict === "expired") return refuse(reply, 403, "AccessDenied");
      reply.type("video/mp4");
      if (name === brokenVideoName) return refuse(reply, 500, "InternalError");
      if (name === noVideoName) return reply.send(noVideo);
      const path = videos.pathOf(name);
      const file = await stat(path).catch(() => undefined);
      if (!file) return refuse(reply, 404, "NoSuchKey");
      return reply.header("content-length", file.size).send(createReadStream(path));
    },
  );
  // the vendor's links are signed for GET alone
  app.head("/videos/:name", (_request, reply) => refuse(reply, 403, "SignatureDoesNotMatch"));
}

function refuse(reply: FastifyReply, httpStatus: number, code: string) {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>\n`;
  return reply.code(httpStatus).type("application/xml").send(xml);
}
