import { readFileSync } from 'node:fs'
import { z } from 'zod'

const oauthProvider = z.object({
  type: z.enum(['oidc', 'oauth2']).optional(),
  client_id: z.string().min(1),
  /** none: a public client, which proves itself by PKCE alone */
  client_secret: z.string().min(1).optional(),
  /** of an OIDC provider: its discovery document lies below */
  issuer: z.url().optional(),
  /** further audiences that an id_token may name (mobile apps) */
  audiences: z.array(z.string()).default([]),
  scopes: z.string().optional(),
  skip_nonce_check: z.boolean().default(false),
})
const samlProvider = z.object({
  type: z.literal('saml'),
  id: z.uuid(),
  /** e-mail domains whose accounts sign in here */
  domains: z.array(z.string().toLowerCase()).default([]),
  /** entity id of the identity provider */
  issuer: z.string().min(1),
  entry_point: z.url(),
  /** its signing certificate, PEM or base64 */
  certificate: z.string().min(1),
})
/** `AUTH_PROVIDERS`: what each provider of accounts needs, by its name. */
export const providers = z.string().transform((value, ctx) => {
  try {
    const text = value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8')
    return z
      .record(z.string().regex(/^[a-z0-9_-]+$/), z.union([samlProvider, oauthProvider]))
      .parse(JSON.parse(text))
  } catch {
    const message =
      'must be a JSON object of providers (docs/operations/accounts.md), or a file that holds one'
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  }
})

export type OAuthProviderSettings = z.output<typeof oauthProvider>
export type SamlProviderSettings = z.output<typeof samlProvider>
export type ProviderSettings = OAuthProviderSettings | SamlProviderSettings
