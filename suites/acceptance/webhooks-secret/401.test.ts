import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("webhooks/secret", "/api/v1/webhooks/secret");
