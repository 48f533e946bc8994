import { expect, test } from "vitest";
import { accountNamed } from "../../test/harness/named-ids.ts";
import { countInFlight, type Lane, shareAttempts } from "./lanes.ts";

const bounds = { attemptsMax: 10, laneMax: 4, accountMax: 6, hostMax: 8 };
const lane = (name: string, host: string): Lane => ({ accountId: accountNamed(name), host });
const sharesOf = (lanes: Lane[], inFlight = countInFlight(), changes = {}) =>
  shareAttempts(lanes, inFlight, { ...bounds, ...changes }).map((share) => [
    `${share.lane.accountId}>${share.lane.host}`,
    share.rowsMax,
  ]);

test("free attempts are shared out one by one, so that the last lane gets as many as the first", () => {
  const lanes = [lane("a", "x"), lane("b", "y"), lane("c", "z")];
  expect(sharesOf(lanes)).toEqual([
    ["a>x", 4],
    ["b>y", 3],
    ["c>z", 3],
  ]);
});

test("a lane never has more under way than its bound", () => {
  expect(sharesOf([lane("a", "x")])).toEqual([["a>x", 4]]);
  const inFlight = countInFlight();
  for (let n = 0; n < 3; n++) inFlight.change(lane("a", "x"), 1);
  expect(sharesOf([lane("a", "x")], inFlight)).toEqual([["a>x", 1]]);
  inFlight.change(lane("a", "x"), 1);
  expect(sharesOf([lane("a", "x")], inFlight)).toEqual([]);
});

test("an account with many hosts never has more under way than its bound", () => {
  const lanes = ["x", "y", "z"].map((host) => lane("a", host));
  expect(sharesOf([...lanes, lane("b", "w")])).toEqual([
    ["a>x", 2],
    ["a>y", 2],
    ["a>z", 2],
    ["b>w", 4],
  ]);
});

test("a host that many accounts call never has more under way than its bound", () => {
  const lanes = ["a", "b", "c", "d"].map((account) => lane(account, "x"));
  expect(sharesOf(lanes, countInFlight(), { attemptsMax: 100 })).toEqual(
    lanes.map(({ accountId }) => [`${accountId}>x`, 2]),
  );
});

test("what has ended makes room again", () => {
  const inFlight = countInFlight();
  for (let n = 0; n < 4; n++) inFlight.change(lane("a", "x"), 1);
  for (let n = 0; n < 4; n++) inFlight.change(lane("a", "x"), -1);
  expect(inFlight.count).toBe(0);
  expect(sharesOf([lane("a", "x")], inFlight)).toEqual([["a>x", 4]]);
});
