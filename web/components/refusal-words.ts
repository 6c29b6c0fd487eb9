import { REFUSAL_WORDS } from '#core/domain/market/refusal-words.ts'
import { words } from '#web/format/words.ts'

export function wordRefusalBriefly(reason: string): string {
  return Object.hasOwn(REFUSAL_WORDS, reason) ? (REFUSAL_WORDS[reason] ?? words(reason)) : words(reason)
}
