import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("credits", "/api/v1/account/credits");
