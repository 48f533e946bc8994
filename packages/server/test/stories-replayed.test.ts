import { describe } from "vitest";
import { tellStories } from "./stories.ts";

// Replay alone would let a random branch pass by retrying it; without retries it cannot.
describe("stories: replay forced and retries off, media in S3", () =>
  tellStories({ isReplayed: true }));
