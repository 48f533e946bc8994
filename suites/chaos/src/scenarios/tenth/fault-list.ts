/** Numbers of faults as a command line has them: `3,7-9`. */
export function readFaults(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const found = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(part);
    if (found === null) throw new Error(`${text} is not a list of faults, such as 3,7-9`);
    const from = Number(found[1]);
    const to = Number(found[2] ?? from);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  });
}
