import { describe } from "vitest";
import { runScenarios } from "./scenarios.ts";

describe("scenarios: as in production, media in a folder", () =>
  runScenarios({ isReplayed: false }));
