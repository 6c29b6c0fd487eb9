import { describeError } from '#core/telemetry/describe-error.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { takeFlowOfState, type Flow } from '../sessions/data/flows.ts'
import { withError } from '../wire/end-at-redirect.ts'
import type { ProviderTokens } from '../sessions/trade-flow-code.ts'
import { isSameBrowser } from './bind-to-browser.ts'
import { callbackUrl, hashState } from './begin-oauth.ts'
import { endFlow, withOAuthError, withProviderError } from './end-flow.ts'
import { judgeLink, linkIdentity } from './link-identity.ts'
import { loadClient, type OAuthProvider } from './open-providers.ts'
import type { ProviderPerson } from './provider-person.ts'
import { readGithubPerson } from './read-github-person.ts'
import { readOidcPerson } from './read-oidc-person.ts'
import { resolveAccount } from './resolve-account.ts'

interface Arrival {
  person: ProviderPerson
  tokens: ProviderTokens
}

/** The person who comes back from the provider. */
interface Arriving {
  caller: Caller
  /** undefined for a program, because nobody can trick a program into coming */
  browser: { secret: string | undefined } | undefined
}

/**
 * Ends what {@link beginOAuth} began, when the provider sends the person back.
 * @param answer the provider's, from the query or a form
 * @returns where the person goes: with a session, a code to trade for one, or an error
 */
export async function endOAuth(
  context: AuthContext,
  answer: URLSearchParams,
  { caller, browser }: Arriving,
): Promise<string> {
  const flow = await takeFlow(context, answer.get('state') ?? '')
  // The flow that the page waits for is unknown, so the error is put in both places.
  if (flow instanceof AuthError) return withError(context.config.http.publicUrl, flow, { isPkce: true })
  const end = {
    redirectTo: flow.redirect_to ?? context.config.http.publicUrl,
    isPkce: flow.code_challenge !== null,
  }
  if (flow.is_expired)
    return withOAuthError(end, new AuthError(400, 'bad_oauth_state', 'OAuth state has expired'))
  if (!isWhoBegan(flow, { caller, browser }))
    return withOAuthError(end, new AuthError(400, 'bad_oauth_state', 'OAuth state parameter is invalid'))
  const denial = answer.get('error')
  if (denial !== null) return withProviderError(end, denial, answer.get('error_description') ?? '')
  const arrival = await receive(context, flow, answer)
  if (arrival instanceof AuthError) return withOAuthError(end, arrival)
  const { person, tokens } = arrival
  const { linking_user_id: owner } = flow
  const outcome = { flow, ...end, tokens, provider: person.provider, caller }
  if (owner === null)
    return await endFlow(context, outcome, (trx) => resolveAccount(context, trx, { person, caller }))
  if (!end.isPkce) return await endFlow(context, outcome, (trx) => linkIdentity(trx, person, owner, caller))
  // Trading the code will show whether this is the right browser: only the browser that asked has the
  // verifier. Until then nothing is linked.
  return await endFlow(context, { ...outcome, linking: person }, async (trx) => {
    const judged = await judgeLink(trx, person, owner)
    return 'refused' in judged ? judged : { user_id: owner }
  })
}

/**
 * Whether the same browser began and ends the flow. Otherwise an attacker could begin it and send this person to end
 * it. The person would then be signed in as the attacker, or the person's provider account would be linked to the
 * attacker's account. A page asks to link by a request that can set no cookie, and then navigates by itself, so without
 * PKCE only the network can be compared.
 */
function isWhoBegan(flow: Flow, { browser, caller }: Arriving): boolean {
  if (flow.linking_user_id !== null)
    return flow.code_challenge !== null || flow.linking_network === caller.network
  return (
    browser === undefined || flow.browser_hash === null || isSameBrowser(browser.secret, flow.browser_hash)
  )
}

async function takeFlow(context: AuthContext, state: string) {
  if (state === '') return new AuthError(400, 'bad_oauth_callback', 'OAuth state parameter missing')
  if (!/^[\w-]{43}$/.test(state))
    return new AuthError(400, 'bad_oauth_state', 'OAuth state parameter is invalid')
  const flow = await takeFlowOfState(context.db, hashState(state), 'oauth')
  return flow ?? new AuthError(400, 'bad_oauth_state', 'OAuth state not found or expired')
}

/** Trades the provider's code, and asks who the person is. */
async function receive(
  context: AuthContext,
  flow: Flow,
  answer: URLSearchParams,
): Promise<Arrival | AuthError> {
  const provider = context.accounts.providers.get(flow.provider ?? '')
  if (provider === undefined)
    return new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled')
  try {
    return await ask(context, provider, flow, answer)
  } catch (error) {
    // A provider that is away, or sends a wrong answer, is no failure of the service.
    const failure = describeError(error)
    context.logger.warn({ provider: provider.name, failure }, 'a provider did not tell who came')
    return new AuthError(400, 'unexpected_failure', 'Unable to exchange external code')
  }
}

async function ask(
  context: AuthContext,
  provider: OAuthProvider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<Arrival> {
  const connection = await provider.connect()
  const url = new URL(callbackUrl(context))
  for (const name of ['code', 'state', 'iss']) {
    const value = answer.get(name)
    if (value !== null) url.searchParams.set(name, value)
  }
  const isOidc = provider.place.kind === 'oidc'
  const { authorizationCodeGrant } = await loadClient()
  const tokens = await authorizationCodeGrant(connection, url, {
    expectedState: answer.get('state') ?? '',
    pkceCodeVerifier: context.secrets.open(flow.provider_verifier_sealed ?? ''),
    ...(isOidc ? { expectedNonce: flow.nonce ?? '', idTokenExpected: true } : {}),
  })
  const { access_token, refresh_token } = tokens
  const claims = tokens.claims()
  const person =
    isOidc && claims !== undefined
      ? await readOidcPerson(provider, connection, { claims, access_token })
      : await readGithubPerson(provider, access_token)
  return {
    person,
    tokens: {
      provider_token: access_token,
      ...(refresh_token === undefined ? {} : { provider_refresh_token: refresh_token }),
    },
  }
}
