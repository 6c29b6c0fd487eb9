import { z } from 'zod'
import {
  authenticationSchema,
  CREDENTIALS_IN,
  type Authentication,
} from '#core/contract/webhooks/authentication.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'

/** What the dialog holds of authentication: the fields of every kind side by side, so that a look at another loses nothing. */
const authenticationValuesSchema = z.object({
  type: z.enum(['none', 'basic', 'bearer', 'oauth2']),
  username: z.string(),
  password: z.string(),
  token: z.string(),
  token_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  scope: z.string(),
  credentials_in: z.enum(CREDENTIALS_IN),
  /** the mask of the secret that is stored, and the kind it belongs to; it goes back where its field is left empty */
  stored: z.object({ type: z.string(), mask: z.string() }),
})
type AuthenticationValues = z.infer<typeof authenticationValuesSchema>

/** The part of the form that says how an endpoint lets us in. */
export const accessShape = {
  authentication: authenticationValuesSchema.superRefine((values, context) => {
    const parsed = authenticationSchema.safeParse(writeAuthentication(values))
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
  }),
  ca_certificate: z.string(),
  client_certificate: z.string(),
  client_key: z.string(),
  /** the mask of the private key that is stored; empty where there is none */
  stored_key: z.string(),
  /** whether it is a configuration that exists: then what is empty takes away what is stored */
  is_saved: z.boolean(),
}
const accessSchema = z.object(accessShape)
export type AccessValues = z.infer<typeof accessSchema>

/** A new configuration asks for nothing. */
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

/** The form's values for a configuration that exists. No field ever holds a mask: a save could not tell it from a value. */
export function editAccess(config: WebhookConfig): AccessValues {
  const { authentication } = config
  return {
    authentication: {
      ...NO_ACCESS.authentication,
      ...authentication,
      password: '',
      token: '',
      client_secret: '',
      stored: { type: authentication.type, mask: secretOf(authentication) },
    },
    ca_certificate: config.ca_certificate ?? '',
    client_certificate: config.client_certificate ?? '',
    client_key: '',
    stored_key: config.client_key ?? '',
    is_saved: true,
  }
}

export interface AccessFields {
  authentication: Authentication
  ca_certificate: string | null
  client_certificate: string | null
  client_key: string | null
}

/**
 * The four fields of the API. A secret that is left empty keeps what is stored; a certificate that is taken out takes its key
 * along. A new configuration that asks for nothing says nothing: then a request has the fields of docs/product.md §7 alone.
 */
export function writeAccess(values: AccessValues): AccessFields | Record<string, never> {
  const { authentication, ca_certificate, client_certificate, client_key, stored_key, is_saved } = values
  const certificate = client_certificate.trim()
  const keptKey = certificate === '' ? '' : stored_key
  const isNothing = [ca_certificate, client_certificate, client_key].every((text) => text.trim() === '')
  if (!is_saved && authentication.type === 'none' && isNothing) return {}
  return {
    authentication: writeAuthentication(authentication),
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
  return { type }
}

function secretOf(authentication: Authentication): string {
  if (authentication.type === 'basic') return authentication.password
  if (authentication.type === 'bearer') return authentication.token
  return authentication.type === 'oauth2' ? authentication.client_secret : ''
}
