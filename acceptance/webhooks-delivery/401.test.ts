import { refusesStrangers } from "../src/refuses-strangers.ts";

const id = "01998b6e-2c00-7000-8000-000000000001";
refusesStrangers("webhooks/delivery", `/api/v1/webhooks/delivery?deliveryId=${id}`);
