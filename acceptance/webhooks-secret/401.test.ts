import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("webhooks/secret", "/api/v1/webhooks/secret");
