import type { SAML } from '@node-saml/node-saml'
import type { SamlProviderSettings } from '#core/config/provider-variables.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError } from '#server/accounts/wire/auth-error.ts'
import { FLOW_SECONDS } from '#server/accounts/auth-policy.ts'
import { issuerOf } from '#server/identity/access-token.ts'

const CLOCK_SKEW_MS = 60_000

/** The addresses for companies' identity providers; the metadata's address is our entity id. */
export function samlUrls(context: Pick<AuthContext, 'config'>) {
  const base = `${issuerOf(context)}/sso/saml`
  return { entityId: `${base}/metadata`, acs: `${base}/acs` }
}

/** The companies whose people sign in here. */
export function listCompanies({ config }: Pick<AuthContext, 'config'>): SamlProviderSettings[] {
  return Object.values(config.auth.providers).filter((settings) => settings.type === 'saml')
}

/** @throws AuthError saml_provider_disabled if no company is configured */
export function requireSaml(context: Pick<AuthContext, 'config'>): void {
  if (listCompanies(context).length === 0)
    throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled')
}

/**
 * Loads the library with the first request and sets it up for one request to one company. It asks its cache
 * whether it sent the request that an answer names; our cache knows exactly one, that of the flow.
 */
export async function openSaml(
  context: Pick<AuthContext, 'config'>,
  company: SamlProviderSettings,
  requestId: string,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  const { entityId, acs } = samlUrls(context)
  return new SAML({
    idpCert: company.certificate,
    idpIssuer: company.issuer,
    entryPoint: company.entry_point,
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    wantAssertionsSigned: true,
    // The answer around the assertion need not be signed: many providers sign only the assertion.
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: FLOW_SECONDS * 1000,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    cacheProvider: {
      saveAsync: (_key, value) => Promise.resolve({ value, createdAt: Date.now() }),
      getAsync: (key) => Promise.resolve(key === requestId ? new Date().toISOString() : null),
      removeAsync: () => Promise.resolve(null),
    },
  })
}
