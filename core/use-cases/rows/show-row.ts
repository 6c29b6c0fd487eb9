import { maskCredentials } from '#core/domain/webhooks/mask-credentials.ts'
import { openReadableHeaders } from '#core/secrets/open-credentials.ts'
import { StoredDataError } from '#core/read-stored.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { StoredRow } from '#core/data/rows/select-rows.ts'

/**
 * A stored row as the JSON text of an object. Header values that may be credentials are masked for their owner too, so
 * that a stolen session reveals none.
 * @param note is told if the headers cannot be read: they are null then, and the rest of the row is shown
 */
export function showRow(row: StoredRow, secrets: SecretBox, note: (error: StoredDataError) => void): string {
  const members = Object.entries(row).map(([name, text]) => {
    const shown =
      name === 'custom_headers' && text !== null ? maskHeaders(text, secrets, note) : (text ?? 'null')
    return `${JSON.stringify(name)}:${shown}`
  })
  return `{${members.join(',')}}`
}

function maskHeaders(sealed: string, secrets: SecretBox, note: (error: StoredDataError) => void): string {
  try {
    return JSON.stringify(maskCredentials(openReadableHeaders(JSON.parse(sealed), secrets)))
  } catch (error) {
    if (!(error instanceof StoredDataError)) throw error
    note(error)
    return 'null'
  }
}
