import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type * as oidc from 'openid-client'
import { ConfigError, type Config } from '#core/config/config.ts'
import type { OAuthProviderSettings } from '#core/config/provider-variables.ts'
import { fetchBounded } from '#server/http/fetch-bounded.ts'
import { locateProvider, type ProviderPlace } from './locate-provider.ts'

const TIMEOUT_SECONDS = 5
/** Life of a cached discovery document. Keys have their own cache; addresses hardly ever change. */
const DISCOVERY_MS = 3_600_000

/** An identity provider, ready for requests. */
export interface OAuthProvider {
  name: string
  settings: OAuthProviderSettings
  place: ProviderPlace
  /**
   * The client for it; for an OIDC issuer from its discovery document, read once an hour. Fails while the
   * issuer is away.
   */
  connect: () => Promise<oidc.Configuration>
  /** The keys that sign its tokens; fetched again when a token names an unknown one. */
  keys: () => Promise<JWTVerifyGetKey>
}

/** The key is the provider's name. */
export type OAuthProviders = ReadonlyMap<string, OAuthProvider>

/** @throws ConfigError for an unknown provider that names no issuer */
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

/** The library is loaded with the first sign-in by a provider. */
export async function loadClient(): Promise<Client> {
  return await import('openid-client')
}

/** Concurrent callers share one attempt; a failed one is not cached. */
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
  // Signatures are checked although the token came over the issuer's own connection: an issuer on this
  // machine has no TLS.
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

/** Allows plain HTTP only if the configuration itself says `http:`. */
function insecureIfAsked(client: Client, { issuer }: ProviderPlace): ((made: oidc.Configuration) => void)[] {
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to make it stand out
  return issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
}

/**
 * The method that the issuer accepts; an issuer that names none accepts HTTP Basic (OpenID Connect Discovery
 * §3).
 */
function authenticateBy(client: Client, secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return client.None()
  const [byPost, byBasic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const prove = methods.includes('client_secret_post') ? byPost : byBasic
    prove(server, ...rest)
  }
}
