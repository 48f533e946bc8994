import type { FastifyInstance, FastifyRequest } from "fastify";
import { createSemaphore } from "../../flow/semaphore.ts";
import { personOf } from "../../ids.ts";
import { clientAddressOf } from "./client-address.ts";

/** The number of requests that start in one round of the event loop: in all, and of one account. */
const startsAtOnce = { permitsMax: 8, permitsPerOwnerMax: 1 };

/**
 * Starts requests in turn, a few in each round of the event loop: one of each account, of each person
 * without an account and of each address without a key. All of them share one processor; in order of arrival,
 * a thousand requests that one account sends at once would all be started before the next of another.
 */
export function takeTurns(app: FastifyInstance): void {
  const turns = createSemaphore(startsAtOnce);
  app.addHook("onRequest", (request, _reply, done) => {
    turns.take({ owner: startedFor(request) }).then((release) => {
      setImmediate(release);
      done();
    }, done);
  });
}

function startedFor(request: FastifyRequest): string {
  const { caller, actor }: Partial<FastifyRequest> = request;
  const personId = actor === undefined ? null : personOf(actor);
  return caller?.id ?? personId ?? clientAddressOf(request);
}
