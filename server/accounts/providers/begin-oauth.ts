import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../wire/auth-error.ts'
import { insertFlow } from '../sessions/data/flows.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import type { PkceChallenge } from '../sessions/read-pkce.ts'
import { KNOWN_PROVIDERS } from './locate-provider.ts'
import { loadClient, type OAuthProvider } from './open-providers.ts'

/**
 * Parameters that a page may add to the request (`access_type=offline`, `prompt=consent`); all others are set
 * here.
 */
const PASSED_ON = new Set([
  'access_type',
  'acr_values',
  'allow_signup',
  'display',
  'domain_hint',
  'hd',
  'include_granted_scopes',
  'login',
  'login_hint',
  'max_age',
  'prompt',
  'ui_locales',
])

export interface OAuthWish {
  provider: OAuthProvider
  /** further scopes, separated by spaces or commas */
  scopes: string
  redirectTo: string
  pkce: PkceChallenge | undefined
  /** of the browser that begins, if it could be given a secret */
  browser_hash?: Buffer
  /** the session whose account gets the identity, and the network that it asks from */
  linking?: { user_id: string; session_id: string; network: string }
  query: Readonly<Record<string, unknown>>
}

/**
 * Begins a sign-in, or a link, by a provider.
 * @returns the URL to send the person to, and the `state` that the provider brings back
 * @throws AuthError if the provider cannot be reached
 */
export async function beginOAuth(
  context: AuthContext,
  wish: OAuthWish,
): Promise<{ url: string; state: string }> {
  const { provider, redirectTo, pkce, linking } = wish
  const connection = await reach(context, provider)
  const client = await loadClient()
  const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()]
  const nonce = provider.place.kind === 'oidc' ? client.randomNonce() : null
  await insertFlow(context.db, {
    method: 'oauth',
    provider: provider.name,
    state_hash: hashState(state),
    nonce,
    provider_verifier_sealed: context.secrets.seal('auth.flows.provider_verifier_sealed', verifier),
    redirect_to: redirectTo,
    ...(wish.browser_hash === undefined ? {} : { browser_hash: wish.browser_hash }),
    ...(linking === undefined
      ? {}
      : {
          linking_user_id: linking.user_id,
          linking_session_id: linking.session_id,
          linking_network: linking.network,
        }),
    ...pkce,
  })
  const extra = Object.entries(wish.query).filter(
    (entry): entry is [string, string] => PASSED_ON.has(entry[0]) && typeof entry[1] === 'string',
  )
  const url = client.buildAuthorizationUrl(connection, {
    ...Object.fromEntries(extra),
    redirect_uri: callbackUrl(context),
    scope: chooseScopes(provider, wish.scopes),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === null ? {} : { nonce }),
  })
  return { url: url.href, state }
}

/** The hash of a `state` or a RelayState that the table stores. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

export function callbackUrl(context: Pick<AuthContext, 'config'>): string {
  return `${issuerOf(context)}/callback`
}

/** @throws AuthError validation_failed for a name that is not configured */
export function findProvider(context: AuthContext, name: string): OAuthProvider {
  const provider = context.accounts.providers.get(name)
  if (provider !== undefined) return provider
  const isKnown = KNOWN_PROVIDERS.includes(name)
  const reason = isKnown ? 'provider is not enabled' : `Provider ${name.slice(0, 40)} could not be found`
  throw validationFailed(`Unsupported provider: ${reason}`)
}

async function reach(context: AuthContext, provider: OAuthProvider): Promise<Configuration> {
  try {
    return await provider.connect()
  } catch (error) {
    context.logger.warn({ provider: provider.name, failure: describeError(error) }, 'a provider is away')
    // Never 5xx: clients repeat those by themselves, and a person who waits should be told.
    const message = `Provider ${provider.name} cannot be reached at the moment, please try again later`
    throw new AuthError(400, 'unexpected_failure', message)
  }
}

function chooseScopes({ place }: OAuthProvider, asked: string): string {
  const more = asked.split(/[\s,]+/).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope))
  return [...new Set([...place.scopes, ...more])].join(' ')
}
