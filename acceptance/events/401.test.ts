import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("events", "/api/v1/events");
