import type { FastifyInstance } from "fastify";
import { answerBrokenRequest } from "./broken-requests.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The time for the whole request to arrive, of a route that takes files. Omitted: the usual one. */
    arrivalMsMax?: number;
  }
}

/**
 * Ends requests whose body does not arrive in time. Node has one limit for all requests, which is as long
 * as the longest of a route.
 */
export function boundArrivals(app: FastifyInstance, usualMsMax: number): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { raw, headers, socket } = request;
    const length = headers["content-length"] ?? "0";
    if (headers["transfer-encoding"] === undefined && length === "0") return done();
    const end = () => {
      if (raw.complete !== false) return; // an injected request is not received at all
      if (reply.raw.headersSent) socket.destroy();
      else answerBrokenRequest({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket);
    };
    const timer = setTimeout(end, request.routeOptions.config.arrivalMsMax ?? usualMsMax).unref();
    raw.once("close", () => clearTimeout(timer));
    done();
  });
}
