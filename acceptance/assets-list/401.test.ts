import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("assets/list", "/api/v1/assets/list");
