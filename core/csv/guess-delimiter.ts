import { DELIMITERS, type Delimiter } from '#core/contract/leads/lead-import.ts'

/** What a spreadsheet writes in front of all else, to say so itself. */
const SAID = /^sep=(.)(?:\r\n|\n|\r)/i

/** Where the first line of a text ends, line breaks between quotation marks apart; -1 where it does not. */
export function endOfFirstLine(text: string): number {
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) return at
  }
  return -1
}

/**
 * What separates the cells, as the file says or as its first line shows: the one that is there most often. A comma where none is.
 * @param text begins the file, and holds its first line whole
 * @returns and how many characters of the beginning only say so
 */
export function guessDelimiter(text: string): { delimiter: Delimiter; skipped: number } {
  const [said, character] = SAID.exec(text) ?? []
  const known = DELIMITERS.find((delimiter) => delimiter === character)
  if (said !== undefined && known !== undefined) return { delimiter: known, skipped: said.length }
  const end = endOfFirstLine(text)
  const line = (end === -1 ? text : text.slice(0, end)).replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length - 1)
  const most = Math.max(...counts)
  return { delimiter: DELIMITERS[counts.indexOf(most)] ?? ',', skipped: 0 }
}
