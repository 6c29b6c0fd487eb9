import { z } from 'zod'
import {
  authenticationSchema,
  CREDENTIALS_IN,
  UNREADABLE_AUTHENTICATION,
  type Authentication,
} from '#core/contract/webhooks/authentication.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'

/**
 * The form's values for authentication. It keeps the fields of every type, so that trying another type loses
 * nothing.
 */
const authenticationValuesSchema = z.object({
  /** `unreadable` until another one is chosen: the stored one is lost */
  type: z.enum(['none', 'basic', 'bearer', 'oauth2', 'unreadable']),
  username: z.string(),
  password: z.string(),
  token: z.string(),
  token_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  scope: z.string(),
  credentials_in: z.enum(CREDENTIALS_IN),
  /** mask of the stored secret and its type; sent back if the field is left empty */
  stored: z.object({ type: z.string(), mask: z.string() }),
})
type AuthenticationValues = z.infer<typeof authenticationValuesSchema>

/** The form's fields for authentication and certificates. */
export const accessShape = {
  authentication: authenticationValuesSchema.superRefine((values, context) => {
    if (values.type === 'unreadable')
      context.addIssue({ code: 'custom', path: ['type'], message: UNREADABLE_AUTHENTICATION })
    const parsed = authenticationSchema.safeParse(writeAuthentication(values))
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
  }),
  ca_certificate: z.string(),
  client_certificate: z.string(),
  client_key: z.string(),
  /** mask of the stored private key; empty if there is none */
  stored_key: z.string(),
  /** true for an existing configuration: an empty field then removes the stored value */
  is_saved: z.boolean(),
}
const accessSchema = z.object(accessShape)
export type AccessValues = z.infer<typeof accessSchema>

/** A new configuration has no authentication. */
export const NO_ACCESS: Readonly<AccessValues> = {
  authentication: {
    type: 'none',
    username: '',
    password: '',
    token: '',
    token_url: '',
    client_id: '',
    client_secret: '',
    scope: '',
    credentials_in: 'header',
    stored: { type: 'none', mask: '' },
  },
  ca_certificate: '',
  client_certificate: '',
  client_key: '',
  stored_key: '',
  is_saved: false,
}

/**
 * Converts an existing configuration to the form's values. No field holds a mask, because a save could not
 * tell it from a value.
 */
export function editAccess(config: WebhookConfig): AccessValues {
  const { authentication, authentication_unreadable: isUnreadable } = config
  const type = isUnreadable ? 'unreadable' : authentication.type
  return {
    authentication: {
      ...NO_ACCESS.authentication,
      ...authentication,
      type,
      password: '',
      token: '',
      client_secret: '',
      stored: { type, mask: secretOf(authentication) },
    },
    ca_certificate: config.ca_certificate ?? '',
    client_certificate: config.client_certificate ?? '',
    client_key: '',
    stored_key: config.client_key ?? '',
    is_saved: true,
  }
}

export interface AccessFields {
  /** left out if nothing was entered in place of one that cannot be read: it stays as it is */
  authentication?: Authentication
  ca_certificate: string | null
  client_certificate: string | null
  client_key: string | null
}

/**
 * Converts the values to the four fields of the API. An empty secret keeps the stored one; removing a
 * certificate removes its key. A new configuration without any leaves the fields out, so that the request has
 * only those of docs/product.md §7.
 */
export function writeAccess(values: AccessValues): AccessFields | Record<string, never> {
  const { authentication, ca_certificate, client_certificate, client_key, stored_key, is_saved } = values
  const certificate = client_certificate.trim()
  const keptKey = certificate === '' ? '' : stored_key
  const isNothing = [ca_certificate, client_certificate, client_key].every((text) => text.trim() === '')
  if (!is_saved && authentication.type === 'none' && isNothing) return {}
  return {
    ...(authentication.type !== 'unreadable' && { authentication: writeAuthentication(authentication) }),
    ca_certificate: ca_certificate.trim() || null,
    client_certificate: certificate || null,
    client_key: client_key.trim() || keptKey || null,
  }
}

function writeAuthentication(values: AuthenticationValues): Authentication {
  const { type, stored, username, password, token, token_url, client_id, client_secret, scope } = values
  const secret = (typed: string): string => (typed === '' && stored.type === type ? stored.mask : typed)
  if (type === 'basic') return { type, username, password: secret(password) }
  if (type === 'bearer') return { type, token: secret(token) }
  if (type === 'oauth2') {
    const { credentials_in } = values
    return { type, token_url, client_id, client_secret: secret(client_secret), scope, credentials_in }
  }
  return { type: 'none' }
}

function secretOf(authentication: Authentication): string {
  if (authentication.type === 'basic') return authentication.password
  if (authentication.type === 'bearer') return authentication.token
  return authentication.type === 'oauth2' ? authentication.client_secret : ''
}
