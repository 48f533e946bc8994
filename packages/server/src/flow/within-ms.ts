/** The result of work, or an error after `msMax`. The work itself is not cancelled. */
export async function withinMs<Result>(msMax: number, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not finished after ${msMax} ms`)), msMax);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // it may reject later, unobserved
  }
}
