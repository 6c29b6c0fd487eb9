import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClientEvent } from '#core/contract/events.ts'
import type { MissingValues, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import type { Authentication } from '#core/contract/webhooks/authentication.ts'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'
import { endpointTestResultSchema } from '#core/contract/webhooks/delivery.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { PayloadType, RequestMethod } from '#core/contract/webhooks/webhook-config.ts'
import { functionPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { endpointHealthKey } from './webhook-configs.ts'
import { writeWebhookBody } from './webhook-config-text.ts'

const PATH = functionPath('test-webhook-endpoint')

/** The form's values, saved or not; the JSON texts are sent verbatim. */
export interface EndpointDraft {
  /** id of the edited configuration, whose stored values replace masks */
  webhookId?: string
  endpoint_url: string
  http_method: RequestMethod
  payload_type: PayloadType
  custom_headers: string
  payload_template: string
  /** the event beside the lead to test instead of a lead, and its template if it has one of its own, by its type */
  event?: ClientEvent
  event_templates?: string
  missing_values?: MissingValues
  success_rule?: SuccessRule
  capture_path?: string
  conditions?: Conditions
  sending_hours?: SendingHours
  authentication?: Authentication
  ca_certificate?: string | null
  client_certificate?: string | null
  client_key?: string | null
}

/** Runs Test Endpoint of the list (docs/product.md §7) for a saved configuration. */
export function useTestWebhook() {
  const queryClient = useQueryClient()
  return useMutation({
    // A test whose answer was lost has reached the endpoint, so only another press repeats it.
    retry: false,
    // A successful test resets the count of failures.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: endpointHealthKey }),
    mutationFn: (webhookId: string) =>
      request(PATH, endpointTestResultSchema, { method: 'POST', body: { webhookId } }),
  })
}

/** Runs Test Endpoint of the form (docs/product.md §7) with exactly its values. */
export function useTestEndpoint() {
  return useMutation({
    retry: false,
    mutationFn: (draft: EndpointDraft) =>
      request(PATH, endpointTestResultSchema, { method: 'POST', jsonText: writeWebhookBody(draft) }),
  })
}
