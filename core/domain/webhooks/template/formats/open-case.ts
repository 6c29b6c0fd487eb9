import { ofText, refuseFormat, type OpenFormat } from './format.ts'

/** `upper`, `lower` or `title`. */
export const openCase =
  (change: (text: string) => string): OpenFormat =>
  (argument, kind) => {
    if (argument !== undefined) return refuseFormat('upper, lower and title stand alone, without a colon')
    if (kind === 'number') return refuseFormat('A number has no upper and lower case')
    if (kind === 'yes_no')
      return refuseFormat('true and false have no case. Use map, like {{tobacco | map: true=Y, false=N}}')
    return { ok: true, kind, apply: ofText(change) }
  }

/** The first letter of each word becomes a capital, the others small: `o'brien-smith` is `O'Brien-Smith`. */
export function writeTitle(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\p{M}\p{N}'’])(\p{L}['’])?\p{L}/gu, (start) => start.toUpperCase())
}
