import { useFormContext, useWatch } from 'react-hook-form'
import { isSameOrigin } from '#core/domain/webhooks/keep-masked.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/**
 * True if a URL of the form still has the scheme, host and port of the saved one; stored credentials are sent
 * to no other.
 */
export function useIsSameOrigin(name: 'endpoint_url' | 'authentication.token_url'): boolean {
  const { formState } = useFormContext<WebhookFormValues>()
  const now = useWatch<WebhookFormValues, typeof name>({ name })
  const { endpoint_url, authentication } = formState.defaultValues ?? {}
  const before = name === 'endpoint_url' ? endpoint_url : authentication?.token_url
  return now === before || isSameOrigin(now, before ?? '')
}
