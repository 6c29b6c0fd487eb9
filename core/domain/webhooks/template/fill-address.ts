import { MAX_VALUE_LENGTH, MAX_VALUES_LENGTH } from '../custom-headers.ts'
import { compileText, type PlaceholderPart } from './compile-template.ts'
import { PayloadTooLargeError } from './payload-size.ts'
import type { PlaceholderValues } from './placeholder-value.ts'
import { fillParts } from './render-template.ts'
import { splitQuery } from './split-query.ts'

/** Limit of a filled URL: common servers and proxies take request lines of 8 KiB. */
export const LONGEST_FILLED_URL = 8000

type Parts = ReadonlyArray<string | PlaceholderPart>

/** The parts of a request beside its body that hold placeholders: the URL's query, and header values by their names. */
export interface CompiledAddress {
  url: Parts | undefined
  headers: ReadonlyMap<string, Parts>
}

/** @returns undefined if there is nothing to fill in */
export function compileAddress(
  url: string,
  headers: Readonly<Record<string, string>>,
): CompiledAddress | undefined {
  const { fixed, query } = splitQuery(url)
  const parts = compileText(query)
  const filled = Object.entries(headers).flatMap(([name, value]) => {
    const compiled = compileText(value)
    return compiled === undefined ? [] : [[name, compiled] as const]
  })
  if (parts === undefined && filled.length === 0) return undefined
  return { url: parts === undefined ? undefined : [fixed, ...parts], headers: new Map(filled) }
}

/**
 * Fills the query, each value encoded (encodeURIComponent), and header values, each made one line of Latin-1: a line
 * break or another control character becomes a space, and a character that no header can hold a question mark. A missing
 * value is empty.
 * @param noteFormatted told how many characters the formats read
 * @throws PayloadTooLargeError
 */
export function fillAddress(
  { url, headers }: CompiledAddress,
  values: PlaceholderValues,
  noteFormatted: (characters: number) => void,
): { url: string | undefined; headers: Record<string, string> } {
  const filling = { values, noteFormatted }
  const filledUrl = url && fillParts(url, filling, encode, LONGEST_FILLED_URL)
  if (url !== undefined && filledUrl === undefined)
    throw new PayloadTooLargeError(
      `The URL would be longer than ${LONGEST_FILLED_URL.toLocaleString('en-US')} characters.`,
      'Use fewer placeholders in the query of Endpoint URL.',
    )
  let left = MAX_VALUES_LENGTH
  const filled = [...headers].map(([name, parts]) => {
    const value = fillParts(parts, filling, writeInHeader, Math.min(left, MAX_VALUE_LENGTH))
    if (value === undefined)
      throw new PayloadTooLargeError(
        `The value of the header ${name} would be too long.`,
        'Use fewer placeholders in Custom Headers.',
      )
    left -= value.length
    return [name, value.trim()]
  })
  return { url: filledUrl, headers: Object.fromEntries(filled) as Record<string, string> }
}

// Half of a surrogate pair would throw.
const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

/** RFC 9110 §5.5: a line break would begin another header. */
function writeInHeader(value: string): string {
  return value.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').replaceAll(/[^\u0020-\u00ff]/gu, '?')
}
