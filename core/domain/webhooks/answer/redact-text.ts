import { DOTS, isKnownKey, nameTells } from '../mask-credentials.ts'

/** Number of names whose result is remembered: a template has the same names in every payload. */
const MEMORY = 5000
/** Longer names are not remembered: an endpoint may answer with names as long as its body, and new ones each time. */
const LONGEST_REMEMBERED = 100
const told = new Map<string, boolean>()

/**
 * Replaces the values of telling names (`authToken`, `password`, `api_key`, `sid`) in JSON text, and values that look
 * like keys; every other character stays. The text may be cut off, or not be JSON at all.
 */
export function redactJson(text: string): string {
  let kept = ''
  let from = 0
  let at = text.indexOf('"')
  while (at !== -1) {
    const end = endOfString(text, at)
    const inside = text.slice(at + 1, end - 1)
    const value = startOfValue(text, end)
    let next = value === -1 ? end : value
    let masked: [number, number] | undefined
    if (value === -1) {
      if (isKnownKey(inside)) masked = [at, end]
    } else if (isTelling(inside)) {
      next = endOfValue(text, value)
      if (!/^(null|true|false|""|\[\]|\{\})?$/.test(text.slice(value, next))) masked = [value, next]
    }
    if (masked !== undefined) {
      kept += `${text.slice(from, masked[0])}"${DOTS}"`
      from = masked[1]
    }
    at = text.indexOf('"', next)
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** Like {@link redactJson}, for `name=value` pairs joined by `&`: a form, or the query of a URL. */
export function redactPairs(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const [name, value] = [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
      const isSecret = equals !== -1 && value !== '' && (nameTells(name) || isKnownKey(value))
      return isSecret ? `${pair.slice(0, equals)}=${DOTS}` : pair
    })
    .join('&')
}

/** A URL without the secrets in its query, and without a password before the host. */
export function redactUrl(url: string): string {
  const [address = '', ...query] = url.split('?')
  const open = address.replace(/^(https?:\/\/)[^/@]*@/i, `$1${DOTS}@`)
  return query.length === 0 ? open : `${open}?${redactPairs(query.join('?'))}`
}

/** `key` alone is what many CRMs call the name of a custom field; a TrustedForm token is evidence, not a credential. */
function isTelling(name: string): boolean {
  const known = told.get(name)
  if (known !== undefined) return known
  const tells = !/^key$|trusted_?form/i.test(name) && nameTells(unescape(name))
  if (name.length > LONGEST_REMEMBERED) return tells
  if (told.size >= MEMORY) told.clear()
  told.set(name, tells)
  return tells
}

/** The position after the closing quote; after the end if the text is cut off. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length + 1
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

/** The begin of the value if a colon follows; otherwise -1, because the string was no name. */
function startOfValue(text: string, end: number): number {
  let at = end
  while (isSpace(text[at])) at += 1
  if (text[at] !== ':') return -1
  at += 1
  while (isSpace(text[at])) at += 1
  return at
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at) - 1
      if (depth === 0) return at + 1
    } else if (character === '{' || character === '[') {
      depth += 1
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth <= 0) return depth === 0 ? at + 1 : at
    } else if (depth === 0 && (character === ',' || isSpace(character))) {
      return at
    }
  }
  return text.length
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}

function unescape(name: string): string {
  if (!name.includes('\\')) return name
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    return name
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
