import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import type { EndpointDraft } from '../../queries/webhook-endpoint-test.ts'

/** A result with the tested values, to say so when they have changed. */
export interface KeptTest {
  result: EndpointTestResult
  draft: string
  tested: string
  isMail: boolean
}

export function keepTest(draft: EndpointDraft, result: EndpointTestResult): KeptTest {
  const { endpoint_url: url, http_method: method, event } = draft
  const isMail = isMailUrl(url)
  const endpoint = isMail ? url : `${method} ${url}`
  return {
    result,
    draft: JSON.stringify(draft),
    tested: event === undefined ? endpoint : `${event} · ${endpoint}`,
    isMail,
  }
}
