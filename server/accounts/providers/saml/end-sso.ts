import { describeError } from '#core/telemetry/describe-error.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError } from '#server/accounts/wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { takeFlowOfState, type Flow } from '#server/accounts/sessions/data/flows.ts'
import { useProof } from '../data/used-proofs.ts'
import { hashState } from '../begin-oauth.ts'
import { endFlow, withOAuthError } from '../end-flow.ts'
import { resolveAccount } from '../resolve-account.ts'
import { listCompanies } from './open-saml.ts'
import { readAssertion, type Assertion } from './read-assertion.ts'

/** An assertion is accepted this long after its end, because clocks differ. */
const GRACE_MS = 120_000

/**
 * Ends what {@link beginSso} began. Answers that nobody asked for are refused: anybody who could post one
 * would choose who is signed in.
 * @returns where the person goes
 */
export async function endSso(context: AuthContext, answer: URLSearchParams, caller: Caller): Promise<string> {
  const siteUrl = context.config.http.publicUrl
  const flow = await takeFlowOfState(context.db, hashState(answer.get('RelayState') ?? ''), 'sso/saml')
  if (flow === undefined) {
    const message = 'SAML RelayState does not exist, try logging in again?'
    const error = new AuthError(404, 'saml_relay_state_not_found', message)
    return withOAuthError({ redirectTo: siteUrl, isPkce: true }, error)
  }
  const end = { redirectTo: flow.redirect_to ?? siteUrl, isPkce: flow.code_challenge !== null }
  if (flow.is_expired) {
    const message = 'SAML RelayState has expired. Try loading the login page again?'
    return withOAuthError(end, new AuthError(422, 'saml_relay_state_expired', message))
  }
  const assertion = await judge(context, flow, answer.get('SAMLResponse') ?? '')
  if (assertion instanceof AuthError) return withOAuthError(end, assertion)
  const { person, id, expiresAt } = assertion
  const proof = ['saml', person.provider, id]
  const worthless = new Date(expiresAt.getTime() + GRACE_MS)
  return await endFlow(
    context,
    { flow, ...end, tokens: {}, provider: person.provider, caller },
    async (trx) =>
      (await useProof(trx, proof, worthless))
        ? await resolveAccount(context, trx, { person, caller, isSso: true })
        : { refused: notValid() },
  )
}

async function judge(context: AuthContext, flow: Flow, response: string): Promise<Assertion | AuthError> {
  const company = listCompanies(context).find(({ id }) => id === flow.provider)
  if (company === undefined) return new AuthError(404, 'sso_provider_not_found', 'No such SSO provider')
  try {
    const assertion = await readAssertion(context, company, { requestId: flow.nonce ?? '', response })
    if (assertion.person.email !== null) return assertion
    const message = 'SAML Assertion does not contain an email address'
    return new AuthError(400, 'saml_assertion_no_email', message)
  } catch (error) {
    // The library's message may quote the assertion, so only the error's type is logged.
    const type = describeError(error)?.type
    context.logger.warn({ company: company.id, type }, 'a SAML assertion was refused')
    return notValid()
  }
}

function notValid(): AuthError {
  return new AuthError(400, 'validation_failed', 'SAML Assertion is not valid')
}
