import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { leadReturnSchema, type ReturnRequest } from '#core/contract/market/lead-return.ts'
import type { Evidence } from '#core/contract/market/return-evidence.ts'
import { apiPath } from '../../api/api-path.ts'
import { request } from '../../api/client.ts'

export function requestReturn(leadId: string, body: ReturnRequest) {
  return request(apiPath('leads', leadId, 'return'), leadReturnSchema, { method: 'POST', body })
}

export function withdrawReturn(leadId: string) {
  return request(apiPath('leads', leadId, 'return', 'withdraw'), leadReturnSchema, { method: 'POST' })
}

/** A URL at which a client opens a file of its own return for a while. */
export async function askOwnLink({ id }: Pick<Evidence, 'id'>): Promise<string> {
  return (await request(apiPath('evidence', id, 'open'), fileLinkSchema, { method: 'POST' })).url
}
