import type { Request } from 'express'

/** The body that receive-bytes.ts took; no body is an empty one. */
export function takeBytes(request: Request): Buffer {
  const body: unknown = request.body
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** The same as text. Undefined where it is not UTF-8. */
export function decodeText(request: Request): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(takeBytes(request))
  } catch {
    return undefined
  }
}

export type ParsedJson = { ok: true; value: unknown } | { ok: false; fault: 'not_json' | 'too_deep' }

/**
 * Parses JSON that is nested no deeper than so many levels. The fault is a word, because the parser's own message quotes the text
 * around it, which may be a password or personal data.
 */
export function parseJson(text: string, deepest: number): ParsedJson {
  if (isDeeper(text, deepest)) return { ok: false, fault: 'too_deep' }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, fault: 'not_json' }
  }
}

function isDeeper(text: string, deepest: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      if (depth > deepest) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
  }
  return false
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
]
