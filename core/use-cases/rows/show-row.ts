import { maskCredentials } from '#core/domain/webhooks/mask-credentials.ts'
import { openHeaders } from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { StoredRow } from '#core/data/rows/select-rows.ts'

/**
 * A stored row as the JSON text of an object. Header values that may be credentials are masked for their owner too, so
 * that a stolen session reveals none.
 * @throws StoredDataError if the headers cannot be read
 */
export function showRow(row: StoredRow, secrets: SecretBox): string {
  const members = Object.entries(row).map(([name, text]) => {
    const shown = name === 'custom_headers' && text !== null ? maskHeaders(text, secrets) : (text ?? 'null')
    return `${JSON.stringify(name)}:${shown}`
  })
  return `{${members.join(',')}}`
}

function maskHeaders(sealed: string, secrets: SecretBox): string {
  return JSON.stringify(maskCredentials(openHeaders(JSON.parse(sealed), secrets)))
}
