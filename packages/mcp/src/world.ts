import type { McpServer, RequestStateCodec } from "@modelcontextprotocol/server";
import type { Zoetrope } from "@zoetrope/sdk";

/** Clients without a session begin their ids anew in every run: an old call can look like this one. */
interface Repeats {
  /** For how long a call with the same id and arguments is the same call. */
  msMax: number;
  /** Whether the service has answered a create with what it answered before. */
  wasReplayed(idempotencyKey: string): boolean;
}

export interface McpOptions {
  /** Calls the service with the key of whoever calls the tools. */
  client: Zoetrope;
  /** Who calls: questions and idempotency keys of one caller are not those of another. */
  caller: string;
  /** Signs the questions that travel through the client: 32 bytes or more, the same in every process. */
  secret: Uint8Array;
  /** null where `caller` names one connection: an id is used once in it. */
  repeats: Repeats | null;
  /** The bytes of a poster, or null. */
  readPoster(url: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Where tools may name files of this machine. */
  openFile?: (path: string) => Promise<Blob>;
  /** Told what no tool foresees. */
  onError?: (error: unknown) => void;
}

/** What a question asks, as it travels through the client: signed, and readable by it. */
export interface Approval {
  credits: number;
  /** Of the call that asked: the answer counts for nothing else. */
  digest: string;
  /** The answer makes one task, however often it is sent. */
  nonce: string;
}

/** What the tools need. */
export interface World extends McpOptions {
  server: McpServer;
  questions: RequestStateCodec<Approval>;
}
