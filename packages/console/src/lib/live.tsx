import type { Zoetrope } from "@zoetrope/sdk";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient } from "./client.ts";
import { type LiveEvent, shareEvents } from "./share-events.ts";

type Listener = (event: LiveEvent) => void;

interface Live {
  subscribe(listener: Listener): () => void;
  /** False: the stream cannot be had, and pages show what they were opened with. */
  isLive: boolean;
  /** The time at which the stream was opened last. Changes to data read before may have been missed. */
  openedAt: number | null;
  /** Whether the stream is expected within a moment: readers of the data that it reports wait for it. */
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
  const { language } = useTranslation().i18n;
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), openingMsMax);
    return () => clearTimeout(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream is asked for in the language
  useEffect(() => {
    const stop = new AbortController();
    setLive(true);
    setOpenedAt(null);
    shareEvents({
      client,
      accountId,
      signal: stop.signal,
      onEvent: (event) => {
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
  }, [client, accountId, language]);
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
