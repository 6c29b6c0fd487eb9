import { suggestName } from '../../suggest-name.ts'
import { readPlaceholder } from './formats/read-placeholder.ts'
import { findUnclosed, refusePlaceholders } from './misplaced-placeholders.ts'
import { PLACEHOLDER, PLACEHOLDERS, placeholderName } from './placeholders.ts'
import { splitQuery } from './split-query.ts'

const NAMES = PLACEHOLDERS.map(({ name }) => name)

/**
 * The reason why a text whose placeholders are filled in cannot be saved: one of them is unknown, has wrong formats or
 * is not closed. Unlike in a template, an unknown one is refused: nothing would show that it is sent empty.
 */
export function refuseFilled(text: string): string | undefined {
  for (const [placeholder, inner = ''] of text.matchAll(PLACEHOLDER)) {
    const { name, written, fault } = readPlaceholder(inner)
    if (fault !== undefined) return `${placeholder}: ${fault}`
    if (name !== null) continue
    const meant = suggestName(placeholderName(written), NAMES)
    return `${placeholder} is not a known placeholder.${meant === undefined ? '' : ` Did you mean {{${meant}}}?`}`
  }
  const open = findUnclosed(text)
  return open === undefined ? undefined : `${open} is not closed. Write ${open}}}`
}

/** {@link refusePlaceholders} before the query of an address, and {@link refuseFilled} in it. */
export function refuseInUrl(url: string): string | undefined {
  const { fixed, query } = splitQuery(url)
  const escaped = query.replaceAll(PLACEHOLDER, '')
  return refusePlaceholders(fixed) ?? refuseFilled(query) ?? refusePlaceholders(escaped)
}

/** An address as its rules judge it: with a letter for each placeholder in its query. */
export function withoutPlaceholders(url: string): string {
  const { fixed, query } = splitQuery(url)
  return fixed + query.replaceAll(PLACEHOLDER, 'x')
}
