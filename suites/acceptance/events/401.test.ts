import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("events", "/api/v1/events");
