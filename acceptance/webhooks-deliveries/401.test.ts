import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("webhooks/deliveries", "/api/v1/webhooks/deliveries");
