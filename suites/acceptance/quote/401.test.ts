import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const body = { model: "sd2", inputs: { prompt: "A paper boat" } };

refusesUnauthenticated("quote", "/api/v1/jobs/quote", post(body));
