import { describe } from "vitest";
import { runScenarios } from "./scenarios.ts";

// Replay alone would let a random branch pass by retrying it; without retries it cannot.
describe("scenarios: replay forced and retries off, media in S3", () =>
  runScenarios({ isReplayed: true }));
