import { post, refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("webhooks/test", "/api/v1/webhooks/test", post({ url: "https://example.com/" }));
