import { isMailUrl } from '../by-mail/mail-address.ts'
import { isOpenHeader, maskHeaders } from '../custom-headers.ts'
import { isCredential, maskValue } from '../mask-credentials.ts'
import { createHider } from './hide-secrets.ts'
import { maskOutcomeTokens } from './mask-outcome-tokens.ts'
import { readEscapes } from './read-escapes.ts'
import { redactJson, redactPairs, redactUrl } from './redact-text.ts'

/** The content of one attempt. */
export interface Exchange {
  url: string
  requestHeaders: Readonly<Record<string, string>>
  requestBody: string
  responseHeaders: Readonly<Record<string, string>> | null
  responseBody: string | null
  /** the text that the client gets about a failure; it may quote the answer */
  message: string | null
}

/** Shorter values occur too often by chance: hiding `true` would hide much more than a secret. */
const LEAST_SECRET = 8

/** Limit of secrets: each is searched for in every text of the exchange. A scheme, a token and its parts are fewer. */
const MOST_WORDS = 4

/** Headers that nearly every answer has, and that never hold a credential; the others are examined one by one. */
const ORDINARY = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'vary',
])

/**
 * Makes the copy of an exchange that the log keeps. The sent bytes stay unchanged. It hides values of custom headers,
 * credentials in the URL's query, in headers, and under telling names in bodies, and the tokens of outcome addresses
 * anywhere. It also hides every repetition of
 * the request's own credentials, in the request or the answer. A header that names something (`X-Source: Medicare`) is
 * no credential: the lead's data stay visible, because the client may see what was sent.
 */
export function redactExchange(exchange: Exchange): Exchange {
  const { url, requestHeaders, requestBody, responseHeaders, responseBody, message } = exchange
  const hideSecrets = createHider(listSecrets(url, requestHeaders))
  const hide = (text: string): string => maskOutcomeTokens(hideSecrets(text))
  const isForm = requestHeaders['content-type']?.includes('x-www-form-urlencoded') === true
  return {
    url: maskOutcomeTokens(redactUrl(url)),
    // All headers of a mail are ours.
    requestHeaders: isMailUrl(url) ? { ...requestHeaders } : maskTokensIn(maskHeaders(requestHeaders)),
    requestBody: hide(isForm ? redactPairs(requestBody) : redactJson(requestBody)),
    responseHeaders: responseHeaders === null ? null : hideIn(responseHeaders, hide),
    responseBody: responseBody === null ? null : hide(redactJson(responseBody)),
    message: message === null ? null : hide(message),
  }
}

/**
 * The request's own credentials, in the forms in which an endpoint may quote them. Each is searched for in all texts,
 * and so is its unescaped form, for example for those of a query.
 */
export function listSecrets(url: string, requestHeaders: Readonly<Record<string, string>>): string[] {
  const maskedUrl = redactUrl(url)
  const secrets = [
    ...Object.entries(requestHeaders)
      .filter(([name, value]) => !isOpenHeader(name) && isCredential(name, value))
      .flatMap(([, value]) => wordsOf(value)),
    ...(maskedUrl === url ? [] : hiddenIn(url, maskedUrl)),
  ]
  const meant = secrets.flatMap((secret) => readEscapes(secret)?.readable ?? []).filter(isLong)
  return [...secrets, ...meant.flatMap(withPluses)]
}

/** A form writes a space as a plus. */
function withPluses(secret: string): string[] {
  return secret.includes(' ') ? [secret, secret.replaceAll(' ', '+')] : [secret]
}

function isLong(word: string): boolean {
  return word.length >= LEAST_SECRET
}

/**
 * The value, its part after the scheme (`Bearer …`), and the password inside of `Basic`, because an endpoint may quote
 * any of them.
 */
function wordsOf(value: string): string[] {
  const words = value.split(/\s+/).filter(isLong).slice(0, MOST_WORDS)
  return [...new Set([value, ...words, ...passwordIn(value).flatMap(withPluses)])].filter(isLong)
}

function passwordIn(value: string): string[] {
  const [, coded] = /^basic +([\w+/]+=*)$/i.exec(value) ?? []
  if (coded === undefined) return []
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(coded), (byte) => byte.charCodeAt(0)))
    return text.includes(':') ? [text.slice(text.indexOf(':') + 1)] : []
  } catch {
    // A custom header may hold anything after this word.
    return []
  }
}

function hiddenIn(url: string, masked: string): string[] {
  const pairs = (text: string): string[] => text.slice(text.indexOf('?') + 1).split('&')
  const shown = pairs(masked)
  return (
    pairs(url)
      .filter((pair, index) => pair !== shown[index])
      .map((pair) => pair.slice(pair.indexOf('=') + 1))
      // A form's space, which the endpoint quotes as a space.
      .flatMap((value) => (value.includes('+') ? [value, value.replaceAll('+', ' ')] : [value]))
      .filter(isLong)
  )
}

function maskTokensIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskOutcomeTokens(value)]))
}

function hideIn(
  headers: Readonly<Record<string, string>>,
  hide: (text: string) => string,
): Record<string, string> {
  const names = Object.keys(headers)
  const masked = Object.entries(headers).map(([name, value]) =>
    !ORDINARY.has(name) && isCredential(name, value) ? maskValue(value) : value,
  )
  // All at once, because there may be a thousand. No value has a line break in it (RFC 9110 §5.5), so no secret has one
  // either.
  const values = hide(masked.join('\n')).split('\n')
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}
