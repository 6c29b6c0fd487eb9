import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import { isCredential, isMask, maskValue } from '#core/domain/webhooks/mask-credentials.ts'
import { refuseInUrl } from '#core/domain/webhooks/template/check-address.ts'
import { compileAddress, fillAddress } from '#core/domain/webhooks/template/fill-address.ts'
import { PayloadTooLargeError } from '#core/domain/webhooks/template/payload-size.ts'

/** The URL and the custom headers of the form. */
export interface Address {
  url: string
  headers: Readonly<Record<string, string>>
}

/** Those parts of an address that placeholders change, filled in. */
export interface FilledAddress {
  url: string | null
  headers: Readonly<Record<string, string>>
}

/** The parts of an address whose placeholders a server fills in. Credentials stay in the form. */
export function pickFilled({ url, headers }: Address): {
  endpoint_url?: string
  custom_headers?: Record<string, string>
} {
  const open = openHeaders(headers)
  return {
    ...(url.includes('{{') && { endpoint_url: url }),
    ...(Object.keys(open).length > 0 && { custom_headers: open }),
  }
}

/** Fills an address with the fictional lead. What cannot be filled in stays as it is: its field says why. */
export function fillWithSample({ url, headers }: Address, now: Date): FilledAddress {
  const address = compileAddress(refuseInUrl(url) === undefined ? url : '', openHeaders(headers))
  try {
    const filled = address && fillAddress(address, sampleValues('test', now), () => undefined)
    return { url: filled?.url ?? null, headers: filled?.headers ?? {} }
  } catch (error) {
    if (!(error instanceof PayloadTooLargeError)) throw error
    // A shorter value may fit.
    return { url: null, headers: {} }
  }
}

/** Lays out the request's URL and custom headers for reading; credentials are masked. */
export function layOutAddress(method: string, { url, headers }: Address, filled: FilledAddress): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    if (isMask(value)) return `${name}: ${value}`
    return `${name}: ${isCredential(name, value) ? maskValue(value) : (filled.headers[name] ?? value)}`
  })
  return [`${method} ${redactUrl(filled.url ?? url)}`, ...lines].join('\n')
}

/** The headers with placeholders that hold no credential. */
function openHeaders(headers: Address['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value.includes('{{') && !isMask(value) && !isCredential(name, value),
    ),
  )
}
