import { countMembers, parseAsWritten } from '#core/contract/parse-as-written.ts'
import type { Request } from 'express'

/** The body that receive-bytes.ts took; a missing body is an empty one. */
export function takeBytes(request: Request): Buffer {
  const body: unknown = request.body
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** The body that receive-bytes.ts took, as text. Undefined if it is not UTF-8. */
export function decodeText(request: Request): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(takeBytes(request))
  } catch {
    return undefined
  }
}

/** More than a template of 65,536 characters can hold, and more than any other call accepts. */
export const MOST_VALUES = 50_000

/** Limits of a JSON text: parsing blocks the process for everybody. */
export interface JsonLimits {
  /** levels of nesting */
  deepest: number
  /** values, including members and items */
  values: number
  /**
   * keeps the digits of numbers and every value of a repeated member ({@link parseAsWritten}); otherwise as
   * JSON.parse reads it
   */
  asWritten?: true
}

/** `values`: how many there are, or, above a limit, the number counted so far. */
export type ParsedJson =
  | { ok: true; value: unknown; values: number }
  | { ok: false; fault: 'not_json' | 'too_deep' | 'too_many'; values: number }

/**
 * Parses JSON that is within the limits. The fault is a fixed word, because the parser's own message quotes
 * the surrounding text, which may be a password or personal data.
 */
export function parseJson(text: string, limits: JsonLimits): ParsedJson {
  const { fault, values, members, hasLoss } = survey(text, limits)
  if (fault !== undefined) return { ok: false, fault, values }
  try {
    const value: unknown = JSON.parse(text)
    const isWhole = limits.asWritten !== true || (!hasLoss && countMembers(value) === members)
    return { ok: true, value: isWhole ? value : parseAsWritten(text), values }
  } catch {
    return { ok: false, fault: 'not_json', values }
  }
}

/** Facts about a JSON text, found in one pass over its characters. */
interface Survey {
  fault: 'too_deep' | 'too_many' | undefined
  values: number
  /** members of all objects; a repeated name counts each time */
  members: number
  /** JSON.parse may change the digits of one of its numbers */
  hasLoss: boolean
}

/** Allocates nothing: parsing 1.7 million empty objects takes 150 ms, refusing them takes two. */
function survey(text: string, { deepest, values: most }: JsonLimits): Survey {
  const found: Survey = { fault: undefined, values: 1, members: 0, hasLoss: false }
  let depth = 0
  let inString = false
  let digits = 0
  if (most < found.values) return { ...found, fault: 'too_many' }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === COMMA || code === OPEN_BRACE || code === OPEN_BRACKET) {
      digits = 0
      found.values += 1
      if (code !== COMMA) depth += 1
      if (depth > deepest) return { ...found, fault: 'too_deep' }
      if (found.values > most) return { ...found, fault: 'too_many' }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    else if (code === COLON) {
      digits = 0
      found.members += 1
    } else if (code === DOT || code === MINUS) found.hasLoss = true
    else if (code >= ZERO && code <= NINE) {
      digits += 1
      if (digits > SAFE_DIGITS) found.hasLoss = true
    } else if (digits > 0 && (code === LOWER_E || code === UPPER_E)) found.hasLoss = true
  }
  return found
}

/** Every whole number with this many digits is a double without loss. */
const SAFE_DIGITS = 15
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const [COLON, DOT, MINUS, ZERO, NINE, LOWER_E, UPPER_E] = [0x3a, 0x2e, 0x2d, 0x30, 0x39, 0x65, 0x45]
