import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Hides settings that only HTTP requests have, such as signatures, while the endpoint is a mail address. */
export function UnlessByMail({ children }: { children: ReactNode }) {
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  return isMailUrl(url.trim()) ? null : children
}
