import { Zoetrope } from "@zoetrope/sdk";
import { serveStdio } from "../src/index.ts";

/** A program that does the same as `zoetrope mcp`. */
// biome-ignore lint/style/noProcessEnv: where a key comes from, not an argument that others can see
const { TEST_URL: baseUrl = "", TEST_KEY: apiKey = "" } = process.env;
serveStdio({ client: new Zoetrope({ baseUrl, apiKey }) });
