import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("webhooks/endpoints", "/api/v1/webhooks/endpoints");
