import type { FieldError } from '#core/contract/problem.ts'
import type { WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import type { WebhookConfigFields, WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { checkAuthentication, keepMaskedAuthentication } from '#core/domain/webhooks/authentication.ts'
import { checkCustomHeaders } from '#core/domain/webhooks/custom-headers.ts'
import { bindToOrigin, keepMaskedHeaders } from '#core/domain/webhooks/keep-masked.ts'
import { isMask } from '#core/domain/webhooks/mask-credentials.ts'
import { openReadableAccess, openReadableHeaders } from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import { checkCertificates } from '#core/endpoint/tls/check-certificates.ts'
import {
  OPEN_ACCESS,
  type EndpointAccess,
  type EndpointCertificates,
} from '#core/endpoint/endpoint-access.ts'
import type { ServerContext } from '../context.ts'
import { findUnreadable } from './find-unreadable.ts'

/** The headers and credentials of a request, unsealed, with stored values in place of their masks. */
export interface CheckedAccess {
  customHeaders: Record<string, string>
  access: EndpointAccess
  /** the changed columns, in their stored form */
  fields: Pick<
    WebhookConfigFields,
    'custom_headers' | 'authentication' | 'ca_certificate' | 'client_certificate' | 'client_key'
  >
  errors: FieldError[]
}

/**
 * Checks custom headers, authentication and certificates of a configuration that is to be saved or tested.
 * @param given with `is_active: true` it is to send, so what cannot be read must be entered again
 * @param stored the configuration that is changed or tested: masks and absent fields stand for what it holds,
 * unless the endpoint's origin changes
 */
export function checkEndpointAccess(
  { webhooks: { guard }, secrets }: Pick<ServerContext, 'webhooks' | 'secrets'>,
  given: WebhookConfigChange,
  stored: WebhookConfigRow | undefined,
): CheckedAccess {
  const binding = bindToOrigin(given.endpoint_url ?? stored?.endpoint_url ?? '', stored?.endpoint_url)
  const known = stored === undefined ? OPEN_ACCESS : openReadableAccess(stored, secrets)
  const own = stored === undefined ? undefined : openReadableHeaders(stored.custom_headers, secrets)
  const headers = keepMaskedHeaders(given.custom_headers, own, binding)
  const kept = keepMaskedAuthentication(given.authentication, stored && known.authentication, binding)
  const { authentication } = kept
  const certificates = keepCertificates(given, known.certificates)
  const errors = [...headers.errors, ...kept.errors, ...certificates.errors]

  // A credential that no key opens now must not be sent elsewhere once one does.
  if (known.authentication === undefined && given.authentication === undefined && !binding.isBound)
    errors.push({ path: 'authentication', message: binding.message })
  else if (stored !== undefined && given.is_active === true)
    errors.push(...findUnreadable(stored, secrets).filter(({ path }) => !isEntered(given, path)))
  if (given.custom_headers !== undefined) errors.push(...checkCustomHeaders(headers.headers))
  if (given.authentication !== undefined && kept.errors.length === 0) {
    errors.push(...checkAuthentication(authentication))
    const tokenUrl = authentication.type === 'oauth2' ? guard.checkUrl(authentication.token_url) : undefined
    if (tokenUrl?.ok === false) errors.push({ path: 'authentication.token_url', message: tokenUrl.reason })
  }
  const ownHeader = Object.keys(headers.headers).find((name) => name.toLowerCase() === 'authorization')
  if (authentication.type !== 'none' && ownHeader !== undefined) {
    const message = 'Authentication sets this header. Leave it out, or choose None under Authentication'
    errors.push({ path: `custom_headers.${ownHeader}`, message })
  }
  return {
    customHeaders: headers.headers,
    access: { authentication, certificates: certificates.kept, keptAs: null },
    fields: {
      // Refused values are not stored, and sealing tens of thousands of them would block the process.
      ...(given.custom_headers === undefined || errors.length > 0
        ? {}
        : { custom_headers: JSON.stringify(sealHeaders(headers.headers, secrets)) }),
      ...(given.authentication === undefined
        ? {}
        : {
            authentication:
              authentication.type === 'none'
                ? null
                : secrets.seal('client_webhook_configs.authentication', JSON.stringify(authentication)),
          }),
      ...(certificates.isGiven ? sealCertificates(certificates.kept, secrets) : {}),
    },
    errors,
  }
}

function isEntered(given: object, path: string): boolean {
  const [field = ''] = path.split('.')
  return Object.entries(given).some(([name, value]) => name === field && value !== undefined)
}

function keepCertificates(
  given: WebhookConfigChange,
  stored: EndpointCertificates | null,
): { kept: EndpointCertificates | null; isGiven: boolean; errors: FieldError[] } {
  const { ca_certificate: authority, client_certificate: certificate, client_key: key } = given
  if (authority === undefined && certificate === undefined && key === undefined)
    return { kept: stored, isGiven: false, errors: [] }
  const storedKey = stored?.key ?? null
  const isMasked = typeof key === 'string' && isMask(key)
  const merged = {
    authority: authority === undefined ? (stored?.authority ?? null) : authority,
    certificate: certificate === undefined ? (stored?.certificate ?? null) : certificate,
    // The key never leaves this process. So it need not be entered again for another endpoint, unlike
    // credentials that are sent.
    key: key === undefined || isMasked ? storedKey : key,
  }
  const errors =
    isMasked && storedKey === null
      ? [{ path: 'client_key', message: 'Enter the value: what was sent is only a mask' }]
      : checkCertificates(merged, new Date())
  const isEmpty = merged.authority === null && merged.certificate === null && merged.key === null
  return { kept: isEmpty ? null : merged, isGiven: true, errors }
}

function sealCertificates(kept: EndpointCertificates | null, secrets: SecretBox) {
  return {
    ca_certificate: kept?.authority ?? null,
    client_certificate: kept?.certificate ?? null,
    client_key:
      kept === null || kept.key === null ? null : secrets.seal('client_webhook_configs.client_key', kept.key),
  }
}

function sealHeaders(headers: Readonly<Record<string, string>>, secrets: SecretBox): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secrets.seal('client_webhook_configs.custom_headers', value),
    ]),
  )
}
