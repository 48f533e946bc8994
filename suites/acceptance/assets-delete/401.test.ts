import { refusesUnauthenticated } from "../src/refuses-unauthenticated.ts";

refusesUnauthenticated("DELETE assets", "/api/v1/assets?assetId=1", { method: "DELETE" });
