import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { contentTypes } from "../probe/sniff.ts";
import type { ChunkStorage } from "./chunks.ts";

/**
 * Where media lives. Keys are random and never reused; an object is written once and whole. Only the
 * chunks of an upload, which come from outside, may be written again, each time whole.
 * Two drivers: any S3, and a folder on one machine.
 */
export interface Storage extends ChunkStorage {
  /** Stores a local file under a new key; a key that exists already is an error. */
  putFile(key: string, path: string, facts: ObjectFacts): Promise<void>;
  /** Where a reader gets the bytes, or null when there is no such object. A link serves one method. */
  locate(key: string, method?: "GET" | "HEAD"): Promise<Location | null>;
  /** The bytes as a stream, whatever their number, or null when there is no such object. */
  openRead(key: string): Promise<Readable | null>;
  /** Removes an object; removing what is not there is fine. */
  remove(key: string): Promise<void>;
  /** Throws when the store cannot be reached or does not let us in. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectFacts {
  contentType: string;
  sizeBytes: number;
  /** Hex. The store refuses bytes that do not match it. */
  sha256: string;
}

/** A short-lived link straight to the store, or a file of this machine. */
type Location = { kind: "link"; url: string } | { kind: "file"; root: string; path: string };

const keyPattern = /^[a-z0-9]{40}\.[a-z0-9]{2,4}$/;

/** A name that cannot be guessed: who has the link may read, nobody else finds it. */
export function newObjectKey(extension: string): string {
  return `${randomBytes(20).toString("hex")}.${extension}`;
}

/** Of what is read by a signed link: no cache may serve it to anybody else, or later. */
export const privateCache = "private, no-store";
const privateMark = "asset"; // not hexadecimal: no other key ends so

/** A key of an object that is only read by a signed link: who knows the key alone gets nothing. */
export function newPrivateKey(extension: string): string {
  const random = randomBytes(20).toString("hex").slice(privateMark.length);
  return `${random}${privateMark}.${extension}`;
}

export function isPrivateKey(key: string): boolean {
  return key.includes(`${privateMark}.`);
}

/** The type that a reader is told: by the ending that we gave the key, never by what somebody said. */
export function contentTypeOf(key: string): string {
  return contentTypes[key.split(".")[1] ?? ""] ?? "application/octet-stream";
}

/** For saving, not for showing: what strangers made is no page of ours. */
export function attachmentOf(key: string): string {
  return `attachment; filename="${key}"`;
}

export function isObjectKey(text: string): boolean {
  return keyPattern.test(text);
}
