import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("webhooks/secret/rotate", "/api/v1/webhooks/secret/rotate", post({}));
