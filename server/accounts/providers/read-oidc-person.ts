import type { Configuration } from 'openid-client'
import { loadClient, type OAuthProvider } from './open-providers.ts'
import { describePerson, type ProviderPerson } from './provider-person.ts'

export type Claims = Readonly<Record<string, unknown>> & { sub: string }

/** Reads the person from an OIDC issuer; if the id token holds no address, it also asks userinfo. */
export async function readOidcPerson(
  provider: OAuthProvider,
  connection: Configuration,
  tokens: { claims: Claims; access_token: string },
): Promise<ProviderPerson> {
  const { claims, access_token } = tokens
  const hasUserInfo = connection.serverMetadata().userinfo_endpoint !== undefined
  const isSilent = claims['email'] === undefined && hasUserInfo
  // The answer must be about the same subject, or one person's token would read another's address.
  const more = isSilent ? await (await loadClient()).fetchUserInfo(connection, access_token, claims.sub) : {}
  return personOfClaims(provider, { ...more, ...claims })
}

/** @param claims of a token whose signature, issuer and audience were checked */
export function personOfClaims(
  provider: Pick<OAuthProvider, 'name' | 'place'>,
  claims: Claims,
): ProviderPerson {
  return describePerson({
    provider: provider.name,
    provider_id: claims.sub,
    issuer: typeof claims['iss'] === 'string' ? claims['iss'] : provider.place.issuer,
    email: claims['email'],
    isEmailVerified: isAffirmed(claims['email_verified']) || isAffirmed(claims['xms_edov']),
    name: claims['name'],
    user_name: claims['preferred_username'],
    picture: claims['picture'],
  })
}

/**
 * Some issuers send words instead of booleans. Microsoft sends no `email_verified`, and any tenant may give
 * its people any address, so for Microsoft only `xms_edov` (the domain's owner was verified) counts.
 */
function isAffirmed(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1'
}
