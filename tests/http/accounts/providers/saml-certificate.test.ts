import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import {
  companyProvider,
  makeCertifiedCompany,
  makeCompany,
  readRequest,
  signAnswer,
  writeAnswer,
  type Company,
} from './saml-company.ts'
import { startAuthServer } from '../wire/start-auth-server.ts'
import { follow, readLanding } from './walk-oauth.ts'

const providersWith = (certificate: string) =>
  JSON.stringify({
    company: companyProvider(certificate),
  })

/**
 * Returns the result for each answer that one of these companies signs, when the product trusts this
 * certificate.
 */
async function signInAt(certificate: string, signers: readonly Company[]) {
  const server = await startAuthServer({ AUTH_PROVIDERS: providersWith(certificate) })
  try {
    const outcomes: string[] = []
    for (const signer of signers) {
      const { data } = await server.newClient().signInWithSSO({ domain: 'company.example' })
      const { requestId, relayState } = readRequest(data?.url ?? '')
      const xml = signAnswer(writeAnswer(server, requestId), signer)
      const body = new URLSearchParams({
        SAMLResponse: Buffer.from(xml).toString('base64'),
        RelayState: relayState,
      })
      const { fragment } = readLanding(await follow(`${server.url}/sso/saml/acs`, { method: 'POST', body }))
      outcomes.push(fragment.has('access_token') ? 'signed in' : (fragment.get('error_description') ?? ''))
    }
    return outcomes
  } finally {
    await server.close()
  }
}

const [first, second, stranger] = [makeCertifiedCompany(), makeCertifiedCompany(), makeCertifiedCompany()]
const REFUSED = 'SAML Assertion is not valid'

describe('a company’s certificate', () => {
  it('is accepted in the form of its metadata, and refuses users signed by another', async () => {
    expect(await signInAt(first.shown, [first.company, stranger.company])).toEqual(['signed in', REFUSED])
  })

  it('may be configured together with its successor while the key is replaced', async () => {
    const both = `${first.pem}${second.pem}`
    const signers = [first.company, second.company, stranger.company]
    expect(await signInAt(both, signers)).toEqual(['signed in', 'signed in', REFUSED])
  })

  it('is valid for its key, even after it has expired', async () => {
    const expired = makeCertifiedCompany({
      from: new Date('2024-01-01T00:00:00Z'),
      until: new Date('2025-03-04T00:00:00Z'),
    })
    expect(await signInAt(expired.pem, [expired.company, stranger.company])).toEqual(['signed in', REFUSED])
  })

  it.each([
    ['no certificate', 'company'],
    ['broken', first.pem.replace(/[A-Za-z]{40}/, '')],
    ['a private key', makeCompany().privateKey],
  ])('is refused at the start if it is %s, with the provider’s name and without its text', (_what, value) => {
    const environment = {
      DATABASE_URL: 'postgres://localhost/leadwire',
      REDIS_URL: 'redis://localhost',
      AUTH_PROVIDERS: providersWith(value),
    }
    let fault = ''
    try {
      loadConfig(environment)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      fault = error.message
    }
    expect(fault).toMatch(/AUTH_PROVIDERS: .+; look at company$/)
  })
})
