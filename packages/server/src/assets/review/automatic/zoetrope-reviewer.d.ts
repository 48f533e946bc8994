/** The part of the optional package that the server uses, whether or not it is installed. */
declare module "@zoetrope/reviewer" {
  export function createJudge(): import("./load-reviewer.ts").Judge;
}
