import type { FieldError } from '#core/contract/problem.ts'
import { maskValue } from './mask-credentials.ts'

/** docs/product.md §3: a limit that keeps a request within what common servers accept. */
export const MAX_HEADERS = 30
export const MAX_VALUE_LENGTH = 4096
/** sum of all values; few servers take more than 8 to 32 KiB */
export const MAX_VALUES_LENGTH = 16_384

// These are ours to set (docs/contract.md §5), or hop-by-hop (RFC 9110 §7.6.1): a custom value would break the request
// or its signature.
export const REFUSED_HEADERS = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])
export const REFUSED_PREFIXES = ['proxy-', 'leadwire-', 'sec-']

/**
 * Checks custom headers at save, so that no template or value can make every send fail.
 * @returns one error for each fault, with `path` `custom_headers.<name>`; empty when all can be sent
 */
export function checkCustomHeaders(headers: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(headers)
  // One fault is enough: for tens of thousands of headers nobody reads the others.
  if (names.length > MAX_HEADERS) {
    return [{ path: 'custom_headers', message: `At most ${MAX_HEADERS} custom headers can be sent` }]
  }
  if (names.reduce((sum, name) => sum + (headers[name] ?? '').length, 0) > MAX_VALUES_LENGTH) {
    const most = MAX_VALUES_LENGTH.toLocaleString('en-US')
    return [
      { path: 'custom_headers', message: `All values together are too long (at most ${most} characters)` },
    ]
  }
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const name of names) {
    const message = checkHeader(name, headers[name] ?? '', seen)
    if (message !== undefined) errors.push({ path: `custom_headers.${name}`, message })
    seen.add(name.toLowerCase())
  }
  return errors
}

function checkHeader(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase()
  // RFC 9110 §5.6.2: a field name is a token.
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name)) return 'This is not a valid header name'
  if (seen.has(lower)) return 'This header is given twice'
  if (REFUSED_HEADERS.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return 'Leadwire sets this header itself'
  }
  if (value.length > MAX_VALUE_LENGTH) return `The value is too long (at most ${MAX_VALUE_LENGTH} characters)`
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'The value must be one line of Latin-1 characters'
  return undefined
}

// Header names whose values are secrets wherever they are shown or stored in a log.
const OPEN_NAMES = new Set([
  'accept',
  'accept-encoding',
  'content-type',
  'content-length',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'leadwire-event',
  'leadwire-delivery',
  'leadwire-attempt',
  'leadwire-sequence',
])

/** Whether a header is ours, so that its value is shown everywhere. */
export function isOpenHeader(name: string): boolean {
  return OPEN_NAMES.has(name.toLowerCase())
}

/** For the log: masks the value of every header that is not ours, whether it looks like a credential or not. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isOpenHeader(name) ? value : maskValue(value)]),
  )
}
