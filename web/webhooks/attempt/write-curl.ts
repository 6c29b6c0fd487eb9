import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'

/** Curl writes these itself, from the address and the body. */
const LEFT_OUT = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])

/**
 * The request as a command for a POSIX shell. Secrets are masked in the log and so they are here. Globbing is off, because a
 * URL may hold brackets; the body goes as it is, also where it begins with @.
 */
export function writeCurl(request: NonNullable<DeliveryLogDetail['request']>): string {
  const headers = Object.entries(request.headers).filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
  return [
    `curl --globoff --request ${quote(request.method)} ${quote(request.url)}`,
    // A header without a value is given with a semicolon, or curl leaves it out.
    ...headers.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `--data-raw ${quote(request.body)}`,
  ].join(' \\\n  ')
}

/** Between single quotes a shell reads everything as it stands, but for the single quote itself. */
function quote(text: string) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
