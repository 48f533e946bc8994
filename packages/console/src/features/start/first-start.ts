const place = "zoetrope.start";

/** Whether this operator chose to look at the status first. */
export function isStartSkipped(): boolean {
  return localStorage.getItem(place) === "skipped";
}

export function skipStart(): void {
  localStorage.setItem(place, "skipped");
}
