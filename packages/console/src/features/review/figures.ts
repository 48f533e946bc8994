import type { ListReviewFiguresAnswer } from "@zoetrope/sdk/admin";

export type Day = ListReviewFiguresAnswer["items"][number];

export interface Sum {
  judged: number;
  approved: number;
  refused: number;
  undone: number;
  seconds: number;
}

export function sumOf(days: readonly Day[]): Sum {
  const sum = { judged: 0, approved: 0, refused: 0, undone: 0, seconds: 0 };
  for (const day of days)
    for (const name of Object.keys(sum) as (keyof Sum)[]) sum[name] += day[name];
  return sum;
}

/** Decisions of each day, oldest first, with a bar for every day in between. */
export function perDay(days: readonly Day[]): { day: string; approved: number; refused: number }[] {
  const sums = new Map<string, { approved: number; refused: number }>();
  for (const { day, approved, refused } of days) {
    const sum = sums.get(day) ?? { approved: 0, refused: 0 };
    sums.set(day, { approved: sum.approved + approved, refused: sum.refused + refused });
  }
  const known = [...sums.keys()].sort();
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return [];
  const all: { day: string; approved: number; refused: number }[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push({ day, ...(sums.get(day) ?? { approved: 0, refused: 0 }) });
  }
  return all;
}
