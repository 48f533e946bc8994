import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { FilmLinks } from "./film-links.ts";
import type { FilmStore } from "./film-store.ts";

/** Stands in for a film where the script asks for bytes that are none. */
export const noFilmName = "no-film.mp4";
const noFilm = Buffer.from("These bytes are no film.\n".repeat(400));

/** A film that the vendor's storage cannot give out, however often it is asked. */
export const brokenFilmName = "broken-film.mp4";

export function registerFilmRoutes(app: FastifyInstance, films: FilmStore, links: FilmLinks) {
  app.get<{ Params: { name: string }; Querystring: { token?: unknown } }>(
    "/films/:name",
    async (request, reply) => {
      const { name } = request.params;
      const { token } = request.query;
      const verdict = typeof token === "string" ? links.judge(name, token) : "forged";
      if (verdict === "forged") return refuse(reply, 403, "SignatureDoesNotMatch");
      if (verdict === "expired") return refuse(reply, 403, "AccessDenied");
      reply.type("video/mp4");
      if (name === brokenFilmName) return refuse(reply, 500, "InternalError");
      if (name === noFilmName) return reply.send(noFilm);
      const path = films.pathOf(name);
      const file = await stat(path).catch(() => undefined);
      if (!file) return refuse(reply, 404, "NoSuchKey");
      return reply.header("content-length", file.size).send(createReadStream(path));
    },
  );
  // the vendor's links are signed for GET alone
  app.head("/films/:name", (_request, reply) => refuse(reply, 403, "SignatureDoesNotMatch"));
}

function refuse(reply: FastifyReply, httpStatus: number, code: string) {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>\n`;
  return reply.code(httpStatus).type("application/xml").send(xml);
}
