import { leadReturnSchema, type ReturnRequest } from '#core/contract/market/lead-return.ts'
import { apiPath } from '../../api/api-path.ts'
import { request } from '../../api/client.ts'

export function requestReturn(leadId: string, body: ReturnRequest) {
  return request(apiPath('leads', leadId, 'return'), leadReturnSchema, { method: 'POST', body })
}

export function withdrawReturn(leadId: string) {
  return request(apiPath('leads', leadId, 'return', 'withdraw'), leadReturnSchema, { method: 'POST' })
}
