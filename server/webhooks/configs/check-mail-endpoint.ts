import type { ClientEvent } from '#core/contract/events.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import type { WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { isMailUrl, mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'

const NO_RECEIPT =
  'A mail is no receipt, so lead.consent_revoked cannot go by mail. Leave it out: Leadwire mails you each revocation to acknowledge'

/** The reason why this installation cannot mail leads to a `mailto:` URL; undefined if it can. */
export function refuseMailUrl(
  { webhooks }: Pick<ServerContext, 'webhooks'>,
  url: string,
): string | undefined {
  if (webhooks.mailRefusal !== undefined) return webhooks.mailRefusal
  return mailAddressOf(url) === undefined
    ? 'Write one plain address after mailto:, as in mailto:name@example.com.'
    : undefined
}

/** Finds settings of a configuration that no mail has; none if its endpoint is no mail address. */
export function findMailFaults(
  given: WebhookConfigChange,
  stored: WebhookConfigRow | undefined,
): FieldError[] {
  if (!isMailUrl(given.endpoint_url ?? stored?.endpoint_url ?? '')) return []
  const errors: FieldError[] = []
  if (Object.keys(given.custom_headers ?? {}).length > 0)
    errors.push({ path: 'custom_headers', message: 'A mail has no custom headers. Leave them out' })
  if ((given.authentication?.type ?? 'none') !== 'none')
    errors.push({ path: 'authentication', message: 'A mail needs no authentication. Choose None' })
  if ((given.events ?? stored?.events ?? []).includes('lead.consent_revoked'))
    errors.push({ path: 'events', message: NO_RECEIPT })
  return errors
}

/** Refuses the test of an event that cannot be chosen for a mail address. @throws AppError unusable_endpoint */
export function requireMailable(endpointUrl: string, event: ClientEvent | undefined): void {
  if (event !== 'lead.consent_revoked' || !isMailUrl(endpointUrl)) return
  throw new AppError('unusable_endpoint', NO_RECEIPT, { errors: [{ path: 'event', message: NO_RECEIPT }] })
}
