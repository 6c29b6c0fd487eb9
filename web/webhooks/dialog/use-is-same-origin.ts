import { useFormContext, useWatch } from 'react-hook-form'
import { isSameOrigin } from '#core/domain/webhooks/keep-masked.ts'
import type { WebhookFormValues } from './webhook-form-values.ts'

/** Whether a URL of the form still leads to the scheme, host and port that it was opened with; what is stored goes nowhere else. */
export function useIsSameOrigin(name: 'endpoint_url' | 'authentication.token_url'): boolean {
  const { formState } = useFormContext<WebhookFormValues>()
  const now = useWatch<WebhookFormValues, typeof name>({ name })
  const { endpoint_url, authentication } = formState.defaultValues ?? {}
  const before = name === 'endpoint_url' ? endpoint_url : authentication?.token_url
  return now === before || isSameOrigin(now, before ?? '')
}
