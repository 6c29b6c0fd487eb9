import type { Evidence } from '#core/contract/market/return-evidence.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/** A URL at which an administrator opens a file of a client's return. Each asking is audited. */
export async function askEvidenceLink({ id }: Pick<Evidence, 'id'>): Promise<string> {
  const path = apiPath('admin', 'evidence', id, 'open')
  return (await request(path, fileLinkSchema, { method: 'POST' })).url
}
