import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'

/** Curl adds these headers itself. */
const LEFT_OUT = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])

/**
 * Writes the request as a command for a POSIX shell. Secrets stay masked, as in the log. Globbing is off,
 * because a URL may contain brackets; the body is sent as it is, even if it begins with @.
 */
export function writeCurl(request: NonNullable<DeliveryLogDetail['request']>): string {
  const headers = Object.entries(request.headers).filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
  return [
    `curl --globoff --request ${quote(request.method)} ${quote(request.url)}`,
    // A header with an empty value needs a semicolon, or curl leaves it out.
    ...headers.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `--data-raw ${quote(request.body)}`,
  ].join(' \\\n  ')
}

/** Within single quotes a shell changes nothing; only the single quote itself must be escaped. */
function quote(text: string) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
