import type { McpServer, RequestStateCodec } from "@modelcontextprotocol/server";
import type { Zoetrope } from "@zoetrope/sdk";

/** Clients without a session begin their ids anew in every run: an old call can look like this one. */
interface Repeats {
  /** The time for which a call with the same id and arguments is the same call. */
  msMax: number;
  /** Whether the service has responded to a create by replaying its first response. */
  wasReplayed(idempotencyKey: string): boolean;
}

export interface McpOptions {
  /** The client that calls the service with the key of the tools' caller. */
  client: Zoetrope;
  /** The caller's identity: questions and idempotency keys of one caller are not those of another. */
  caller: string;
  /** Signs the questions that travel through the client: 32 bytes or more, the same in every process. */
  secret: Uint8Array;
  /** null where `caller` names one connection: an id is used once in it. */
  repeats: Repeats | null;
  /** The bytes of a poster, or null. */
  readPoster(url: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Opens a file of this machine, where tools may name one. */
  openFile?: (path: string) => Promise<Blob>;
  /** Told what no tool foresees. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The content of a question as it travels through the client: signed, and readable by it. */
export interface Approval {
  credits: number;
  /** The digest of the call that asked: the reply is valid for nothing else. */
  digest: string;
  /** The nonce that ties the reply to one task, however often it is sent. */
  nonce: string;
}

/** The server and services that the tools need. */
export interface McpContext extends McpOptions {
  server: McpServer;
  questions: RequestStateCodec<Approval>;
}
