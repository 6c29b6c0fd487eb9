import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const oauthProvider = z.object({
  type: z.enum(['oidc', 'oauth2']).optional(),
  client_id: z.string().min(1),
  /** undefined for a public client, which proves itself by PKCE alone */
  client_secret: z.string().min(1).optional(),
  /** the issuer of an OIDC provider; its discovery document is below this address */
  issuer: z.url().optional(),
  /** further audiences that an id_token may name (mobile apps) */
  audiences: z.array(z.string()).default([]),
  scopes: z.string().optional(),
  skip_nonce_check: z.boolean().default(false),
})
const PEM = /-----BEGIN (CERTIFICATE|PUBLIC KEY)-----[^-]*-----END \1-----/g

/** PEM, several in a row while a key is being replaced, or the base64 form in an identity provider's metadata. */
const certificates = z.string().transform((value, ctx) => {
  const bare = value.replaceAll(/\s+/g, '')
  const pems = /^[A-Za-z0-9+/]+=*$/.test(bare)
    ? [`-----BEGIN CERTIFICATE-----\n${bare}\n-----END CERTIFICATE-----`]
    : (value.match(PEM) ?? [])
  if (pems.length > 0 && pems.every(isReadable)) return pems
  ctx.addIssue({ code: 'custom', message: 'must be a certificate or public key, PEM or base64' })
  return z.NEVER
})
function isReadable(pem: string): boolean {
  try {
    return createPublicKey(pem).type === 'public'
  } catch {
    return false
  }
}

const samlProvider = z.object({
  type: z.literal('saml'),
  id: z.uuid(),
  /** e-mail domains whose accounts sign in with this provider */
  domains: z.array(z.string().toLowerCase()).default([]),
  /** entity id of the identity provider */
  issuer: z.string().min(1),
  entry_point: z.url(),
  /** the provider's signing certificate: its key is used, its dates are ignored */
  certificate: certificates,
})

const MICROSOFT = 'https://login.microsoftonline.com/common/v2.0'

/** Issuers of the OIDC providers that need no `issuer` in the settings. */
export const KNOWN_ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  microsoft: MICROSOFT,
  azure: MICROSOFT,
}

/** Whether a provider is plain OAuth 2 with GitHub's API, whose address needs no setting. */
export function isGithubLike(name: string, settings: Pick<OAuthProviderSettings, 'type'>): boolean {
  return settings.type === 'oauth2' || (name === 'github' && settings.type === undefined)
}

function hasPlace(name: string, settings: ProviderSettings): boolean {
  if (settings.type === 'saml' || isGithubLike(name, settings)) return true
  return settings.issuer !== undefined || Object.hasOwn(KNOWN_ISSUERS, name)
}

/** `AUTH_PROVIDERS`: the settings of each identity provider, by its name. */
export const providers = z.string().transform((value, ctx) => {
  try {
    const text = value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8')
    const given = z
      .record(z.string().regex(/^[a-z0-9_-]+$/), z.union([samlProvider, oauthProvider]))
      .parse(JSON.parse(text))
    const lost = Object.entries(given).filter(([name, settings]) => !hasPlace(name, settings))
    for (const [name] of lost) ctx.addIssue({ code: 'custom', message: `${name} needs an issuer` })
    return lost.length === 0 ? given : z.NEVER
  } catch (error) {
    // The value holds secrets, so the reason quotes only the providers' names.
    const names = error instanceof z.ZodError ? error.issues.map(({ path: [name] }) => name) : []
    const at = names.length === 0 ? '' : `; look at ${[...new Set(names)].join(', ')}`
    const message = `must be a JSON object of providers (docs/operations/accounts.md), or a file that holds one${at}`
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  }
})

export type OAuthProviderSettings = z.output<typeof oauthProvider>
export type SamlProviderSettings = z.output<typeof samlProvider>
export type ProviderSettings = OAuthProviderSettings | SamlProviderSettings
