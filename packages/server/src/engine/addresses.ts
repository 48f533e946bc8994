/**
 * The addresses of an interface on every node of the engine, in the order of preference. Any node takes any
 * request.
 */
export interface Addresses {
  /**
   * Tries one node after the other, starting with the one that worked last, until an attempt does not
   * throw. Throws what the last one threw.
   */
  tryEach<Answer>(attempt: (url: string) => Promise<Answer>): Promise<Answer>;
  readonly count: number;
}

export function createAddresses(urls: readonly string[]): Addresses {
  let next = 0;
  return {
    count: urls.length,
    async tryEach(attempt) {
      for (let tries = 1; ; tries += 1) {
        const used = next;
        try {
          return await attempt(urls[used] ?? "");
        } catch (error) {
          // Many requests fail together: only the first of them moves on.
          if (next === used) next = (used + 1) % urls.length;
          if (tries >= urls.length) throw error;
        }
      }
    },
  };
}
