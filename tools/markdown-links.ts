/** Reads what a link check needs from Markdown, as GitHub renders it. */

export interface Link {
  /** A path relative to the page, or empty. */
  readonly path: string;
  /** The text after the `#`, or empty. */
  readonly anchor: string;
}

/** Every link of a page to another file, or to a place in this one. */
export function readLinks(markdown: string): Link[] {
  const text = withoutCode(markdown);
  const found = [
    ...text.matchAll(/\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?(?:\s+"[^"]*")?\)/g),
    ...text.matchAll(/^\[[^\]]+\]:\s+<?([^\s>]+)>?/gm),
  ];
  return found
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:|^\/\//i.test(target))
    .map((target) => {
      const [path = "", anchor = ""] = target.split("#");
      return { path: decodeURIComponent(path), anchor: decodeURIComponent(anchor) };
    });
}

/** The anchors of a page's headings. A heading that occurs again gets a number. */
export function readAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  const text = markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "");
  for (const [, heading = ""] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1/gm, "")
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
}
