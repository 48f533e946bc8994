/** What the server uses of the optional package, whether or not it is installed. */
declare module "@zoetrope/reviewer" {
  export function createJudge(): import("./load-reviewer.ts").Judge;
}
