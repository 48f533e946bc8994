import type { PersonActor, PersonId } from "../ids.ts";

/** The facts about the origin of a request. */
export interface RequestFacts {
  /** Null if it is not known. */
  address: string | null;
  /** The network under which requests without a key are counted: the address, or the /64 of an IPv6 address. */
  network: string;
  userAgent: string | null;
  requestId: string;
  /** Proves that somebody signed in from this browser before; see device.ts. */
  deviceToken: string | null;
}

export function personActor(personId: PersonId, { address, requestId }: RequestFacts): PersonActor {
  return { kind: "person", personId, address, requestId };
}
