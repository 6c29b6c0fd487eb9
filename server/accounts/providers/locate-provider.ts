import { isGithubLike, KNOWN_ISSUERS, type OAuthProviderSettings } from '#core/config/provider-variables.ts'

/** A provider's kind and issuer, and what is requested from it. */
export interface ProviderPlace {
  /** github: plain OAuth 2 with GitHub's API, on github.com or an Enterprise Server */
  kind: 'oidc' | 'github'
  issuer: string
  scopes: readonly string[]
}

const OIDC_SCOPES = ['openid', 'email', 'profile']
const GITHUB = 'https://github.com'

/**
 * The issuers of id tokens for the providers that the wire knows by name, whether or not they are enabled
 * here.
 */
const TOKEN_ISSUERS: Readonly<Record<string, string>> = {
  ...KNOWN_ISSUERS,
  apple: 'https://appleid.apple.com',
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
  snapchat: 'https://accounts.snapchat.com/accounts/oauth2/token',
  vercel_marketplace: 'https://marketplace.vercel.com',
}

/** The issuer of a provider that the wire knows by name; undefined for any other name. */
export function issuerOfName(name: string): string | undefined {
  return Object.hasOwn(TOKEN_ISSUERS, name) ? TOKEN_ISSUERS[name] : undefined
}

/** Providers that need no configured issuer. */
export const KNOWN_PROVIDERS: readonly string[] = [...Object.keys(KNOWN_ISSUERS), 'github']

/** @returns undefined for an unknown provider that names no issuer */
export function locateProvider(name: string, settings: OAuthProviderSettings): ProviderPlace | undefined {
  const asked = settings.scopes?.split(/[\s,]+/).filter((scope) => scope !== '')
  if (isGithubLike(name, settings)) {
    const issuer = (settings.issuer ?? GITHUB).replace(/\/$/, '')
    return { kind: 'github', issuer, scopes: asked ?? ['read:user', 'user:email'] }
  }
  const issuer = settings.issuer ?? (Object.hasOwn(KNOWN_ISSUERS, name) ? KNOWN_ISSUERS[name] : undefined)
  if (issuer === undefined) return undefined
  return { kind: 'oidc', issuer, scopes: [...new Set(['openid', ...(asked ?? OIDC_SCOPES)])] }
}
