const MARKERS = /javascript:|data:|vbscript:|\bon\w+\s*=/gi

/**
 * Free text of a person as docs/product.md §5 wants it: without angle brackets, `javascript:`, `data:` and `vbscript:` markers and
 * the beginnings of inline event handlers (`onclick=`). What removing puts together is removed, too.
 */
export function cleanText(text: string): string {
  for (let given = text; ;) {
    const cleaned = given.replaceAll(/[<>]/g, '').replaceAll(MARKERS, '')
    if (cleaned === given) return given.trim()
    given = cleaned
  }
}
