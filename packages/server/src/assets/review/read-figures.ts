import type { Context } from "../../context.ts";
import { cutPage, refuseCursor } from "../../http/paging.ts";
import { isId } from "../../ids.ts";
import { listNames } from "../../people/list-names.ts";
import { listDays } from "./figures.ts";
import type { FiguresQuery } from "./schema.ts";

const dayMs = 24 * 60 * 60 * 1000;
const daysUsual = 30;

/** Returns the figures of each reviewer on each day, newest day first. */
export async function readFigures(ctx: Pick<Context, "db" | "directory">, query: FiguresQuery) {
  const { limit, reviewer = null, cursor } = query;
  const last = query.to === undefined ? new Date() : startOf(query.to);
  const from =
    query.from === undefined ? new Date(Date.now() - daysUsual * dayMs) : startOf(query.from);
  const before =
    cursor === undefined ? { day: new Date(last.getTime() + dayMs), reviewer: "" } : read(cursor);
  const rows = await listDays(ctx.db, { from, before, reviewer, limit });
  const { page, nextCursor } = cutPage(rows, limit, (end) => `${nameOf(end.day)} ${end.reviewer}`);
  const reviewers = new Set(page.map((row) => row.reviewer).filter(isId)); // others are names already
  const names = await listNames(ctx.directory.db, [...reviewers]);
  return {
    items: page.map(({ day, judgingMs, ...counts }) => ({
      ...counts,
      reviewerName: names.get(counts.reviewer) ?? null,
      day: nameOf(day),
      judged: counts.approved + counts.refused,
      seconds: judgingMs / 1000,
    })),
    nextCursor,
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function nameOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function read(cursor: string): { day: Date; reviewer: string } {
  const day = startOf(cursor.slice(0, 10));
  if (Number.isNaN(day.getTime())) refuseCursor();
  return { day, reviewer: cursor.slice(11) };
}
