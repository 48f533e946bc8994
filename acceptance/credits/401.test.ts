import { refusesStrangers } from "../src/refuses-strangers.ts";

refusesStrangers("credits", "/api/v1/account/credits");
