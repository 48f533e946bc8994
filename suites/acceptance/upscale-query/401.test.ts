import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("upscale/query", "/api/v1/upscale/query?taskId=1");
