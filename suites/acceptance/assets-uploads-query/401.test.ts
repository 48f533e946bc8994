import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("assets/uploads", "/api/v1/assets/uploads?uploadId=1");
