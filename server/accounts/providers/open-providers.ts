import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type * as oidc from 'openid-client'
import { ConfigError, type Config } from '#core/config/config.ts'
import type { OAuthProviderSettings } from '#core/config/provider-variables.ts'
import { fetchBounded } from '#server/http/fetch-bounded.ts'
import { locateProvider, type ProviderPlace } from './locate-provider.ts'

const TIMEOUT_SECONDS = 5
/** How long a discovery document is good: keys have a cache of their own, addresses hardly ever change. */
const DISCOVERY_MS = 3_600_000

/** A provider of people's identities, ready to be asked. */
export interface OAuthProvider {
  name: string
  settings: OAuthProviderSettings
  place: ProviderPlace
  /** The client towards it; of an OIDC issuer by its discovery document, read once an hour. Fails while the issuer is away. */
  connect: () => Promise<oidc.Configuration>
  /** The keys that its tokens are signed with; fetched when a token names one that is new. */
  keys: () => Promise<JWTVerifyGetKey>
}

/** By name. */
export type OAuthProviders = ReadonlyMap<string, OAuthProvider>

/** @throws ConfigError for a provider that names no issuer and is none of those known by name */
export function openProviders(config: Config): OAuthProviders {
  const providers = new Map<string, OAuthProvider>()
  for (const [name, settings] of Object.entries(config.auth.providers)) {
    if (settings.type === 'saml') continue
    const place = locateProvider(name, settings)
    if (place === undefined) throw new ConfigError([`AUTH_PROVIDERS: ${name} needs an issuer`])
    providers.set(name, openProvider(name, settings, place))
  }
  return providers
}

function openProvider(name: string, settings: OAuthProviderSettings, place: ProviderPlace): OAuthProvider {
  const connect =
    place.kind === 'github'
      ? async () => connectGithub(await loadClient(), settings, place)
      : remember(async () => discover(await loadClient(), settings, place))
  let keys: { url: string; set: JWTVerifyGetKey } | undefined
  return {
    name,
    settings,
    place,
    connect,
    keys: async () => {
      const url = (await connect()).serverMetadata().jwks_uri
      if (url === undefined) throw new TypeError('the issuer names no keys')
      if (keys?.url !== url) {
        const set = createRemoteJWKSet(new URL(url), {
          timeoutDuration: TIMEOUT_SECONDS * 1000,
          [customFetch]: fetchBounded,
        })
        keys = { url, set }
      }
      return keys.set
    },
  }
}

type Client = typeof oidc

/** Loaded with the first sign-in by a provider. */
export async function loadClient(): Promise<Client> {
  return await import('openid-client')
}

/** Callers that come together share one attempt; one that failed is not remembered. */
function remember(make: () => Promise<oidc.Configuration>): () => Promise<oidc.Configuration> {
  let kept: { made: Promise<oidc.Configuration>; until: number } | undefined
  return async () => {
    if (kept === undefined || kept.until < Date.now())
      kept = { made: make(), until: Date.now() + DISCOVERY_MS }
    const { made } = kept
    try {
      return await made
    } catch (error) {
      if (kept.made === made) kept = undefined
      throw error
    }
  }
}

async function discover(
  client: Client,
  settings: OAuthProviderSettings,
  place: ProviderPlace,
): Promise<oidc.Configuration> {
  // Signatures are checked although the token came by the issuer's own connection: an issuer on this machine has no TLS.
  const execute = [client.enableNonRepudiationChecks, ...insecureIfAsked(client, place)]
  return await client.discovery(
    new URL(place.issuer),
    settings.client_id,
    {},
    authenticateBy(client, settings.client_secret),
    { execute, timeout: TIMEOUT_SECONDS, [client.customFetch]: fetchBounded },
  )
}

function connectGithub(
  client: Client,
  settings: OAuthProviderSettings,
  place: ProviderPlace,
): oidc.Configuration {
  const server = {
    issuer: place.issuer,
    authorization_endpoint: `${place.issuer}/login/oauth/authorize`,
    token_endpoint: `${place.issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }
  const made = new client.Configuration(
    server,
    settings.client_id,
    {},
    authenticateBy(client, settings.client_secret),
  )
  made.timeout = TIMEOUT_SECONDS
  made[client.customFetch] = fetchBounded
  for (const adjust of insecureIfAsked(client, place)) adjust(made)
  return made
}

/** Without TLS only where the configuration itself says `http:`. */
function insecureIfAsked(client: Client, { issuer }: ProviderPlace): ((made: oidc.Configuration) => void)[] {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so only to stand out
  return issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
}

/** By what the issuer takes; an issuer that does not say takes HTTP Basic (OpenID Connect Discovery §3). */
function authenticateBy(client: Client, secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return client.None()
  const [byPost, byBasic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const prove = methods.includes('client_secret_post') ? byPost : byBasic
    prove(server, ...rest)
  }
}
