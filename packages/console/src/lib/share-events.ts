import type { Event, Step, Zoetrope } from "@zoetrope/sdk";

export type LiveEvent = Event | Step;

interface Sharing {
  client: Zoetrope;
  accountId: string;
  signal: AbortSignal;
  onEvent(event: LiveEvent): void;
  /**
   * Called each time that the stream is open. Events since another tab's stream was closed may have
   * been missed.
   */
  onOpen(isTakeOver: boolean): void;
}

type Message =
  | { kind: "event"; event: LiveEvent }
  /** A message from the tab that follows: the stream was opened, or, to one that joined, it is open. */
  | { kind: "opened" | "open" }
  | { kind: "joined" };

/**
 * Follows an account's events until the signal, over one stream for all tabs of the browser: a
 * browser opens at most six connections to a server over HTTP/1.1, and a seventh stream would leave
 * none for requests. The tab that has the lock follows and notifies the others.
 */
export async function shareEvents(sharing: Sharing): Promise<void> {
  const { client, accountId, signal, onEvent, onOpen } = sharing;
  const name = `events of ${accountId}`;
  const channel = new BroadcastChannel(name);
  signal.addEventListener("abort", () => channel.close(), { once: true });
  const send = (message: Message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  let isOpen = false;
  let isLeader = false;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === "event") onEvent(data.event);
    else if (data.kind === "joined" && isLeader && isOpen) send({ kind: "open" });
    else if (data.kind === "opened" || (data.kind === "open" && !isOpen)) {
      isOpen = true;
      onOpen(false);
    }
  };
  send({ kind: "joined" });
  await navigator.locks.request(name, { signal }, async () => {
    const isTakeOver = isOpen;
    isLeader = true;
    const onOpenHere = () => {
      isOpen = true;
      onOpen(isTakeOver);
      send({ kind: "opened" });
    };
    for await (const event of client.events(null, { steps: true, signal, onOpen: onOpenHere })) {
      onEvent(event);
      send({ kind: "event", event });
    }
  });
}
