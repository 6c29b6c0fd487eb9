const SCHEME = /(?:javascript|data|vbscript):$/i
const LONGEST_SCHEME = 'javascript:'.length
const HANDLER = /^on\w/i

/**
 * Free text of a person as docs/product.md §5 wants it: without angle brackets, `javascript:`, `data:` and `vbscript:` markers and
 * the beginnings of inline event handlers (`onclick=`). What removing puts together is removed, too. Each marker ends in a colon or an
 * equals sign, so it is looked for where one of these comes, in what is kept so far: in one walk, however markers are nested.
 */
export function cleanText(text: string): string {
  const kept: string[] = []
  for (let place = 0; place < text.length; place += 1) {
    const character = text.charAt(place)
    if (character === '<' || character === '>') continue
    const handler = character === '=' ? lengthOfHandler(kept) : 0
    if (handler > 0) {
      kept.length -= handler
      continue
    }
    kept.push(character)
    if (character === ':') {
      const [scheme = ''] = SCHEME.exec(kept.slice(-LONGEST_SCHEME).join('')) ?? []
      kept.length -= scheme.length
    }
  }
  return kept.join('').trim()
}

/** How many characters at the end are a handler's name and the spaces behind it: `onclick `. A word is looked at once, as it ends there. */
function lengthOfHandler(kept: readonly string[]): number {
  const beforeSpaces = kept.findLastIndex((character) => !/\s/.test(character)) + 1
  const beforeWord =
    kept.findLastIndex((character, place) => place < beforeSpaces && !/\w/.test(character)) + 1
  return HANDLER.test(kept.slice(beforeWord, beforeSpaces).join('')) ? kept.length - beforeWord : 0
}
