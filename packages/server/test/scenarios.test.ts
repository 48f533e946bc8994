import { describe } from "vitest";
import { runScenarios } from "./scenarios.ts";

describe("stories: as in production, media in a folder", () => runScenarios({ isReplayed: false }));
