import { post, refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("webhooks/secret/rotate", "/api/v1/webhooks/secret/rotate", post({}));
