const SCHEME = /(?:javascript|data|vbscript):$/i
const LONGEST_SCHEME = 'javascript:'.length
const HANDLER = /^on\w/i

/**
 * Cleans a person's free text by docs/product.md §5: removes angle brackets, `javascript:`, `data:` and `vbscript:`
 * markers and the beginnings of inline event handlers (`onclick=`). A marker that appears because another was removed
 * is removed, too. Each marker ends in a colon or an equals sign, so each such character starts a search in the text
 * kept so far: one pass, however markers are nested.
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

/**
 * Length of a handler's name and the spaces after it at the end: `onclick `. Each word is examined once, when it ends.
 */
function lengthOfHandler(kept: readonly string[]): number {
  const beforeSpaces = kept.findLastIndex((character) => !/\s/.test(character)) + 1
  const beforeWord =
    kept.findLastIndex((character, place) => place < beforeSpaces && !/\w/.test(character)) + 1
  return HANDLER.test(kept.slice(beforeWord, beforeSpaces).join('')) ? kept.length - beforeWord : 0
}
