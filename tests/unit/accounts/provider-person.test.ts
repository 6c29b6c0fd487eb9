import { describe, expect, it } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { locateProvider } from '#server/accounts/providers/locate-provider.ts'
import { personOfClaims } from '#server/accounts/providers/read-oidc-person.ts'

const settings = { client_id: 'leadwire', audiences: [], skip_nonce_check: false }
const azure = {
  name: 'azure',
  place: { kind: 'oidc', issuer: 'https://login.example.com', scopes: [] },
} as const

describe('the person in a provider’s claims', () => {
  it('has a verified address if the issuer says so, however it writes “true”', () => {
    for (const email_verified of [true, 'true', 1, '1'])
      expect(personOfClaims(azure, { sub: '1', email: 'Ada@Example.com', email_verified })).toMatchObject({
        email: 'ada@example.com',
        isEmailVerified: true,
      })
    for (const email_verified of [false, 'false', undefined, null, 'no', {}])
      expect(
        personOfClaims(azure, { sub: '1', email: 'ada@example.com', email_verified }).isEmailVerified,
      ).toBe(false)
  })

  it('has a verified address from Microsoft only if Microsoft verified the owner of the domain', () => {
    const claims = { sub: '1', email: 'ceo@victim.example', tid: 'somebody’s own tenant' }
    expect(personOfClaims(azure, claims).isEmailVerified).toBe(false)
    expect(personOfClaims(azure, { ...claims, xms_edov: true }).isEmailVerified).toBe(true)
  })

  it('leaves out members that are not text, too long or no valid address', () => {
    const person = personOfClaims(azure, {
      sub: '1',
      email: 'no address',
      email_verified: true,
      name: 'x'.repeat(201),
      preferred_username: 'a\u0000b',
      picture: '\ud800',
    })
    expect(person).toEqual({
      provider: 'azure',
      provider_id: '1',
      email: null,
      isEmailVerified: false,
      data: {
        iss: 'https://login.example.com',
        sub: '1',
        provider_id: '1',
        email_verified: false,
        phone_verified: false,
      },
    })
  })
})

describe('the URLs of a provider', () => {
  it('are known for some providers, and configured by an issuer for the others', () => {
    expect(locateProvider('google', settings)).toMatchObject({
      kind: 'oidc',
      issuer: 'https://accounts.google.com',
    })
    expect(locateProvider('azure', settings)?.issuer).toContain('login.microsoftonline.com')
    expect(locateProvider('github', settings)).toMatchObject({ kind: 'github', issuer: 'https://github.com' })
    const issuer = 'https://id.example.com'
    expect(locateProvider('acme', { ...settings, issuer, scopes: 'email,groups' })).toEqual({
      kind: 'oidc',
      issuer,
      scopes: ['openid', 'email', 'groups'],
    })
    expect(locateProvider('acme', settings)).toBeUndefined()
    expect(locateProvider('constructor', settings)).toBeUndefined()
  })

  it('must be configured before the server starts', () => {
    const load = () =>
      loadConfig({
        DATABASE_URL: 'postgres://127.0.0.1/none',
        REDIS_URL: 'redis://127.0.0.1:1',
        PORT: 'eighty',
        AUTH_PROVIDERS: JSON.stringify({
          acme: { client_id: 'leadwire' },
          google: { client_id: 'leadwire' },
        }),
      })
    expect(load).toThrow(/PORT: .*\n {2}AUTH_PROVIDERS: acme needs an issuer$/)
  })
})
