import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("models", "/api/v1/models");
