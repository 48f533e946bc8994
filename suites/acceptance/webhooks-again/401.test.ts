import { post, refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const body = { deliveryId: "01998b6e-2c00-7000-8000-000000000001" };
refusesUnauthenticated("webhooks/again", "/api/v1/webhooks/again", post(body));
