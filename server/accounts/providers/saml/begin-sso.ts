import { randomBytes } from 'node:crypto'
import type { SamlProviderSettings } from '#core/config/provider-variables.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '#server/accounts/wire/auth-error.ts'
import { insertFlow } from '#server/accounts/sessions/data/flows.ts'
import { hashState } from '../begin-oauth.ts'
import type { PkceChallenge } from '#server/accounts/sessions/read-pkce.ts'
import { listCompanies, openSaml } from './open-saml.ts'

/** Begins a sign-in at the company's own identity provider. @returns the URL to send the person to */
export async function beginSso(
  context: AuthContext,
  company: SamlProviderSettings,
  { redirectTo, pkce }: { redirectTo: string; pkce: PkceChallenge | undefined },
): Promise<string> {
  const relayState = randomBytes(32).toString('base64url')
  // An XML id must not begin with a digit.
  const requestId = `_${randomBytes(20).toString('hex')}`
  await insertFlow(context.db, {
    method: 'sso/saml',
    provider: company.id,
    state_hash: hashState(relayState),
    nonce: requestId,
    redirect_to: redirectTo,
    ...pkce,
  })
  const saml = await openSaml(context, company, requestId)
  return await saml.getAuthorizeUrlAsync(relayState, undefined, {})
}

/** @throws AuthError if the request names none, two, or an unknown one */
export function findCompany(
  context: Pick<AuthContext, 'config'>,
  given: { provider_id: string; domain: string },
): SamlProviderSettings {
  const { provider_id, domain } = given
  if (provider_id === '' && domain === '')
    throw validationFailed('A provider_id or domain needs to be provided')
  if (provider_id !== '' && domain !== '')
    throw validationFailed('Only one of provider_id or domain supported')
  const companies = listCompanies(context)
  const found =
    provider_id === ''
      ? companies.find(({ domains }) => domains.includes(domain.trim().toLowerCase()))
      : companies.find(({ id }) => id === provider_id.toLowerCase())
  if (found !== undefined) return found
  const message = provider_id === '' ? 'No SSO provider assigned for this domain' : 'No such SSO provider'
  throw new AuthError(404, 'sso_provider_not_found', message)
}
