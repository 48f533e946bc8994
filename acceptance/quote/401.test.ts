import { post, refusesStrangers } from "../src/refuses-strangers.ts";

const body = { model: "sd2", inputs: { prompt: "A paper boat" } };

refusesStrangers("quote", "/api/v1/jobs/quote", post(body));
