import { REFUSAL_WORDS } from '#core/domain/market/refusal-words.ts'
import { words } from '#web/format/words.ts'

/** Words of a reason; a reason of a newer server is shown as it is. */
export function wordRefusalBriefly(reason: string): string {
  return Object.hasOwn(REFUSAL_WORDS, reason) ? (REFUSAL_WORDS[reason] ?? words(reason)) : words(reason)
}
