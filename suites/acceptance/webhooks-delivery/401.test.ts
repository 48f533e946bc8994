import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

const id = "01998b6e-2c00-7000-8000-000000000001";
refusesUnauthenticated("webhooks/delivery", `/api/v1/webhooks/delivery?deliveryId=${id}`);
