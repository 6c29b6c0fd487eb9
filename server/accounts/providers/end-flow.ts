import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import type { AuthError, AuthErrorCode } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { issueFlowCode, type Flow } from '../sessions/data/flows.ts'
import { describeSession, type LiveSession } from '../sessions/describe-session.ts'
import { withFragment, withQuery } from '../wire/end-at-redirect.ts'
import { mintFlowCode } from '../sessions/flow-code.ts'
import type { ProviderTokens } from '../sessions/trade-flow-code.ts'
import { startSession } from '../sessions/start-session.ts'
import { askForConfirmation } from './ask-for-confirmation.ts'
import type { ProviderPerson } from './provider-person.ts'
import type { Resolution } from './resolve-account.ts'

/** The address that the person goes to after a provider has answered. */
export interface FlowEnd {
  redirectTo: string
  isPkce: boolean
}

/** Refusals that depend on the person; all others are the fault of the service or the provider. */
const DENIALS: ReadonlySet<AuthErrorCode> = new Set([
  'signup_disabled',
  'user_banned',
  'provider_email_needs_verification',
])

type Opened = { code: string } | { live: LiveSession } | Exclude<Resolution, { user_id: string }>

/**
 * Finds the flow's account and, in the same transaction, opens a session, or under PKCE issues a code to
 * trade for one.
 * @returns where the person goes
 */
export async function endFlow(
  context: AuthContext,
  end: FlowEnd & {
    flow: Flow
    tokens: ProviderTokens
    provider: string
    caller: Caller
    /** under PKCE: the person to link to the account when the code is traded */
    linking?: ProviderPerson
  },
  resolve: (trx: Db) => Promise<Resolution>,
): Promise<string> {
  const { flow, tokens, caller, provider, redirectTo } = end
  const opened = await context.db.transaction().execute(async (trx): Promise<Opened> => {
    const resolution = await resolve(trx)
    if (!('user_id' in resolution)) return resolution
    const { user_id } = resolution
    if (!end.isPkce) {
      const { method } = flow
      // The claim names a provider only if it is a company's.
      const company = method === 'sso/saml' && flow.provider !== null ? { provider: flow.provider } : {}
      return { live: await startSession(trx, user_id, { method, ...company }, caller) }
    }
    const { code, code_hash } = mintFlowCode()
    const provider_tokens_sealed = context.secrets.seal(
      'auth.flows.provider_tokens_sealed',
      JSON.stringify(tokens),
    )
    const linking =
      end.linking === undefined
        ? {}
        : {
            linking_person_sealed: context.secrets.seal(
              'auth.flows.linking_person_sealed',
              JSON.stringify(end.linking),
            ),
          }
    await issueFlowCode(trx, flow.id, { user_id, code_hash, provider_tokens_sealed, ...linking })
    return { code }
  })
  if ('refused' in opened) return withOAuthError(end, opened.refused)
  if ('unconfirmed' in opened)
    return withOAuthError(
      end,
      await askForConfirmation(context, opened.unconfirmed, { provider, redirectTo, caller }),
    )
  if ('code' in opened) return withQuery(redirectTo, { code: opened.code })
  const { user: _user, ...session } = await describeSession(context, opened.live)
  return withFragment(redirectTo, { ...session, ...tokens })
}

/** Tells the page what failed, in OAuth's error names. */
export function withOAuthError(end: FlowEnd, error: AuthError): string {
  return tell(end, {
    error: DENIALS.has(error.code) ? 'access_denied' : 'server_error',
    error_code: error.code,
    error_description: error.message,
  })
}

const LONGEST_DESCRIPTION = 300

/**
 * Passes on the provider's error: usually that the person refused. The text comes from a stranger, so its
 * length is limited.
 */
export function withProviderError(end: FlowEnd, error: string, description: string): string {
  return tell(end, {
    error: /^[\w.-]{1,64}$/.test(error) ? error : 'server_error',
    error_description:
      description.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, LONGEST_DESCRIPTION) || undefined,
  })
}

function tell({ redirectTo, isPkce }: FlowEnd, members: Record<string, string | undefined>): string {
  return withFragment(isPkce ? withQuery(redirectTo, members) : redirectTo, members)
}
