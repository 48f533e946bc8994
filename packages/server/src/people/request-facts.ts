import type { PersonActor } from "../actor.ts";
import type { PersonId } from "../ids.ts";

/** What a request tells about where it comes from. */
export interface RequestFacts {
  /** Null if it is not known. */
  address: string | null;
  /** What requests without a key are counted under: the address, or the /64 of an IPv6 address. */
  network: string;
  userAgent: string | null;
  requestId: string;
  /** Proves that somebody signed in from this browser before; see device.ts. */
  deviceToken: string | null;
}

export function personActor(personId: PersonId, { address, requestId }: RequestFacts): PersonActor {
  return { kind: "person", personId, address, requestId };
}
