import { newId } from "../../src/ids.ts";
import { createSubscriber } from "../../src/live/subscription.ts";

/** A client whose task is read by this batch. */
export function subscriberOf(batch: number) {
  const hub = { ask: () => batch, known: () => undefined, onClose: () => {} };
  return createSubscriber(hub, { id: newId(0), keyId: newId(0) }, newId(0));
}
