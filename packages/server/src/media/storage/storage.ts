import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { contentTypes } from "../probe/sniff.ts";
import type { ChunkStorage } from "./chunks.ts";

/**
 * The media storage. Keys are random and never reused; an object is written once and completely. Only
 * the chunks of an upload may be written again, each time completely. Two drivers: any S3, and a
 * folder on one machine.
 */
export interface Storage extends ChunkStorage {
  /** Stores a local file under a new key; a key that exists already is an error. */
  putFile(key: string, path: string, facts: ObjectFacts): Promise<void>;
  /** Where a reader gets the bytes, or null if there is no such object. A link is valid for one method. */
  locate(key: string, method?: "GET" | "HEAD"): Promise<Location | null>;
  /** The bytes as a stream, or null if there is no such object. */
  openRead(key: string): Promise<Readable | null>;
  /** Deletes an object; no error if it does not exist. */
  remove(key: string): Promise<void>;
  /** The keys of the objects that were stored from this time on. Reads the whole list: for operators. */
  listSince(since: Date): AsyncIterable<string>;
  /** Throws if the storage is unreachable or denies access. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectFacts {
  contentType: string;
  sizeBytes: number;
  /** Hexadecimal. The storage refuses bytes that do not match it. */
  sha256: string;
}

/** A short-lived link to the storage, or a local file. */
type Location = { kind: "link"; url: string } | { kind: "file"; root: string; path: string };

const keyPattern = /^[a-z0-9]{40}\.[a-z0-9]{2,4}$/;

/** A random name: whoever has the link may read, nobody can guess it. */
export function newObjectKey(extension: string): string {
  return `${randomBytes(20).toString("hex")}.${extension}`;
}

/** For signed links: no cache may serve the file to others or later. */
export const privateCache = "private, no-store";
const privateMark = "asset"; // not hexadecimal: no other key ends so

/** The key of an object that is only served by a signed link: the key alone is not enough. */
export function newPrivateKey(extension: string): string {
  const random = randomBytes(20).toString("hex").slice(privateMark.length);
  return `${random}${privateMark}.${extension}`;
}

export function isPrivateKey(key: string): boolean {
  return key.includes(`${privateMark}.`);
}

/** The content type of a response: by the extension of the key, never by what a user sent. */
export function contentTypeOf(key: string): string {
  return contentTypes[key.split(".")[1] ?? ""] ?? "application/octet-stream";
}

/** As a download: users' files must not be displayed as pages of this service. */
export function attachmentOf(key: string): string {
  return `attachment; filename="${key}"`;
}

export function isObjectKey(text: string): boolean {
  return keyPattern.test(text);
}
