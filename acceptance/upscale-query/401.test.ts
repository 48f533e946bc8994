import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("upscale/query", "/api/v1/upscale/query?taskId=1");
