import { afterAll, beforeAll } from "vitest";
import { closeBed, openBed } from "./bed.ts";
import "./money-tests.ts";
import "./tool-tests.ts";

beforeAll(openBed);
afterAll(closeBed);
