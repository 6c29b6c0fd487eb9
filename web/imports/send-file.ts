import { IMPORT_LIMITS, leadImportSchema, type LeadImport } from '#core/contract/imports/lead-import.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError, isRefusal } from '#web/api/errors.ts'

const TRIES = 5
const FIRST_PAUSE_MS = 1000

/**
 * Sends the missing parts of a file one after the other. After a lost answer, the server's import says where
 * to continue.
 * @param onSent called with the number of bytes that the server has
 * @throws ApiError if the server refuses, or does not answer five times in a row
 */
export async function sendFile(
  file: Blob,
  begun: LeadImport,
  onSent: (bytes: number) => void,
): Promise<LeadImport> {
  let known = begun
  let failed = 0
  while (known.state === 'uploading') {
    onSent(known.received)
    try {
      known = await sendPart(file, known)
      failed = 0
    } catch (error) {
      const isElsewhere = error instanceof ApiError && error.code === 'conflict'
      failed += 1
      if ((isRefusal(error) && !isElsewhere) || failed === TRIES) throw error
      if (!isElsewhere) await rest(FIRST_PAUSE_MS * failed)
      known = await request(apiPath('admin', 'imports', known.id), leadImportSchema).catch(() => known)
    }
  }
  onSent(known.received)
  return known
}

async function sendPart(file: Blob, { id, received }: LeadImport): Promise<LeadImport> {
  const path = withQuery(apiPath('admin', 'imports', id, 'bytes'), { at: String(received) })
  const bytes = file.slice(received, received + IMPORT_LIMITS.part)
  return await request(path, leadImportSchema, { method: 'POST', bytes })
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
