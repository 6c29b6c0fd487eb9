import { withoutFences } from './page.ts'

/** The anchors that GitHub, and our own site, make from headings; a repeated heading gets a number. */
export function listAnchors(lines: readonly string[]): Set<string> {
  const anchors = new Set<string>()
  for (const line of withoutFences(lines)) {
    const [, heading] = /^#{1,6} +(.*?)\s*#*$/.exec(line) ?? []
    if (heading === undefined) continue
    const slug = writeSlug(heading)
    let anchor = slug
    for (let repeat = 1; anchors.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`
    anchors.add(anchor)
  }
  return anchors
}

/** The anchor of `## What follows?` is `#what-follows`. */
export function writeSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
