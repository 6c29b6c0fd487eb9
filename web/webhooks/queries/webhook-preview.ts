import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'
import { previewSchema, type PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/** A template to render with a real lead; with `leadId` null nothing is requested. */
export interface PreviewDraft {
  templateText: string
  payloadType: PayloadType
  missingValues: MissingValues
  leadId: string | null
  conditions: Conditions | null
  /** the URL and the headers that hold placeholders */
  address: { endpoint_url?: string; custom_headers?: Record<string, string> }
}

export function previewQuery(draft: PreviewDraft) {
  const { templateText, payloadType, missingValues, leadId, conditions, address } = draft
  const plain = {
    payload_type: payloadType,
    missing_values: missingValues,
    lead_id: leadId,
    conditions,
    ...address,
  }
  return queryOptions({
    queryKey: ['webhook-configs', 'preview', plain, templateText],
    queryFn: ({ signal }) =>
      request(apiPath('webhook-configs', 'preview'), previewSchema, {
        method: 'POST',
        // The template as it was typed, because parsing would lose key order and digits.
        jsonText: `${JSON.stringify(plain).slice(0, -1)},"payload_template":${templateText}}`,
        signal,
      }),
    enabled: leadId !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // The answer contains a lead, so it is dropped with the dialog.
    gcTime: 0,
  })
}
