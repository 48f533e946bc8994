import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("webhooks/deliveries", "/api/v1/webhooks/deliveries");
