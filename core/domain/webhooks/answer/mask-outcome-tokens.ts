import { DOTS } from '../mask-credentials.ts'

/** In any letter case, because a format may have changed it. A shorter rest is a token that was cut off. */
const TOKEN = /lw_outcome_[\w-]+/gi

/** Hides the tokens of outcome addresses: anybody who reads one could report outcomes for the lead. */
export function maskOutcomeTokens(text: string): string {
  return text.replaceAll(TOKEN, `lw_outcome_${DOTS}`)
}
