import { describe } from "vitest";
import { tellStories } from "./stories.ts";

describe("stories: as in production, media in a folder", () => tellStories({ isReplayed: false }));
