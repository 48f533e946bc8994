import type { Zoetrope } from "@zoetrope/sdk";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { queryClient } from "./client.ts";
import { type LiveEvent, shareEvents } from "./share-events.ts";

type Listener = (event: LiveEvent) => void;

interface Live {
  subscribe(listener: Listener): () => void;
  /** False: the stream cannot be had, and pages show what they were opened with. */
  isLive: boolean;
  /** When the stream was opened last. What was read before may have changed without being told. */
  openedAt: number | null;
  /** The stream is expected within a moment: whoever reads what it tells about waits for it. */
  isOpening: boolean;
}

const openingMsMax = 1_000;

const Context = createContext<Live | null>(null);

interface Props {
  client: Zoetrope;
  accountId: string;
  children: ReactNode;
}

/** One stream per account keeps every page of every tab current; nothing polls. */
export function LiveProvider({ client, accountId, children }: Props) {
  const listeners = useRef(new Set<Listener>());
  const [isLive, setLive] = useState(true);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), openingMsMax);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    setLive(true);
    setOpenedAt(null);
    shareEvents({
      ...{ client, accountId, signal: stop.signal },
      tell: (event) => {
        for (const listener of listeners.current) listener(event);
      },
      onOpen: (isTakeOver) => {
        setOpenedAt(performance.now());
        if (isTakeOver) void queryClient.invalidateQueries();
      },
    }).catch(() => {
      if (!stop.signal.aborted) setLive(false);
    });
    return () => stop.abort();
  }, [client, accountId]);
  const [subscribe] = useState(() => (listener: Listener) => {
    listeners.current.add(listener);
    return () => {
      listeners.current.delete(listener);
    };
  });
  const isOpening = isLive && openedAt === null && !isLate;
  return <Context value={{ subscribe, isLive, openedAt, isOpening }}>{children}</Context>;
}

export function useIsLive(): boolean {
  return useContext(Context)?.isLive ?? true;
}

export function useStream(): Pick<Live, "openedAt" | "isOpening"> {
  return useContext(Context) ?? { openedAt: null, isOpening: false };
}

/** Calls the listener for every step and end of a task of the account. */
export function useLive(listener: Listener): void {
  const live = useContext(Context);
  const latest = useRef(listener);
  latest.current = listener;
  const subscribe = live?.subscribe;
  useEffect(() => subscribe?.((event) => latest.current(event)), [subscribe]);
}
