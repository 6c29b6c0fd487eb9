import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  COMPANY_ID,
  companyProvider,
  makeCompany,
  readRequest,
  signAnswer,
  writeAnswer,
  type Saying,
} from './saml-company.ts'
import { call, post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { follow, readLanding } from './walk-oauth.ts'

const company = makeCompany()
let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({
    AUTH_REDIRECT_ALLOW_LIST: 'https://app.example.com/**',
    AUTH_PROVIDERS: JSON.stringify({
      company: companyProvider(company.publicKey),
    }),
  })
})
afterAll(() => server.close())

const PAGE = 'https://app.example.com/landing'

async function begin(flowType: 'implicit' | 'pkce' = 'implicit') {
  const client = server.newClient(flowType)
  const { data, error } = await client.signInWithSSO({
    domain: 'Company.example',
    options: { redirectTo: PAGE },
  })
  if (error !== null) throw error
  return { client, ...readRequest(data.url) }
}

async function show(xml: string, relayState: string) {
  const body = new URLSearchParams({
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: relayState,
  })
  return readLanding(await follow(`${server.url}/sso/saml/acs`, { method: 'POST', body }))
}

/** Runs a whole sign-in of a user of the company. */
async function signIn(saying: Saying = {}) {
  const { client, requestId, relayState } = await begin()
  const { fragment } = await show(signAnswer(writeAnswer(server, requestId, saying), company), relayState)
  const { data } = await client.getUser(fragment.get('access_token') ?? '')
  return { fragment, user: data.user }
}

const NOT_VALID = {
  error: 'server_error',
  error_code: 'validation_failed',
  error_description: 'SAML Assertion is not valid',
}

describe('sign-in at a company', () => {
  it('creates a separate account, and uses it again', async () => {
    const { user, fragment } = await signIn({ nameId: 'employee-1' })
    expect(user).toMatchObject({
      email: 'ada@company.example',
      app_metadata: { provider: `sso:${COMPANY_ID}`, providers: [`sso:${COMPANY_ID}`] },
    })
    expect(user?.identities).toMatchObject([{ provider: `sso:${COMPANY_ID}`, id: 'employee-1' }])
    const claims = JSON.parse(atob(fragment.get('access_token')?.split('.')[1] ?? '')) as { amr: unknown }
    expect(claims.amr).toMatchObject([{ method: 'sso/saml', provider: COMPANY_ID }])
    expect((await signIn({ nameId: 'employee-1' })).user?.id).toBe(user?.id)
    const row = await server.context.db
      .selectFrom('auth.users')
      .select('is_sso_user')
      .where('id', '=', user?.id ?? '')
      .executeTakeFirst()
    expect(row?.is_sso_user).toBe(true)
  })

  it('works under PKCE', async () => {
    const { client, requestId, relayState } = await begin('pkce')
    const { query } = await show(signAnswer(writeAnswer(server, requestId), company), relayState)
    const { data, error } = await client.exchangeCodeForSession(query.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user?.email).toBe('ada@company.example')
  })

  it('is separate from an account with the same address', async () => {
    const someone = await signUpSomeone(server)
    const { user } = await signIn({ nameId: randomUUID(), email: someone.email })
    expect(user?.email).toBe(someone.email)
    expect(user?.id).not.toBe(someone.user.id)
  })

  it('needs an address', async () => {
    const { fragment } = await signIn({ nameId: randomUUID(), email: null })
    expect(fragment.get('error_code')).toBe('saml_assertion_no_email')
  })

  it('never redirects to another site', async () => {
    const { body } = await post(server, '/sso', {
      provider_id: COMPANY_ID,
      redirect_to: 'https://evil.example.com/',
      skip_http_redirect: true,
    })
    const { requestId, relayState } = readRequest((body as { url: string }).url)
    const { url } = await show(signAnswer(writeAnswer(server, requestId), company), relayState)
    expect(url.origin).toBe(new URL(server.url).origin)
  })
})

describe('an assertion', () => {
  it.each<[string, Saying]>([
    ['of another issuer', { issuer: 'https://evil.example.com' }],
    ['for another audience', { audience: 'https://another-app.example.com' }],
    ['for another address', { recipient: 'https://another-app.example.com/acs' }],
    ['that answers another request', { inResponseTo: '_another' }],
    ['that answers no request', { inResponseTo: '' }],
    ['that has expired', { validSeconds: -120 }],
  ])('%s opens no session', async (_name, saying) => {
    const { fragment, user } = await signIn(saying)
    expect(Object.fromEntries(fragment)).toMatchObject(NOT_VALID)
    expect(user).toBeNull()
  })

  it('without a signature, with another key, changed, or signed with SHA-1 opens no session', async () => {
    const forge: ((xml: string) => string)[] = [
      (xml) => xml,
      (xml) => signAnswer(xml, makeCompany()),
      (xml) => signAnswer(xml, company).replace('employee-7', 'the-director'),
      (xml) => signAnswer(xml, company, 'sha1'),
      (xml) => `<!DOCTYPE x [<!ENTITY e "x">]>${signAnswer(xml, company)}`,
      () => 'no XML at all',
      () => '',
    ]
    for (const make of forge) {
      const { requestId, relayState } = await begin()
      const { fragment } = await show(make(writeAnswer(server, requestId)), relayState)
      expect(Object.fromEntries(fragment)).toMatchObject(NOT_VALID)
    }
  })

  it('with too many tags is not searched, because the time grows with their square', async () => {
    const crowds: ((xml: string) => string)[] = [
      (xml) => xml + '<!---->'.repeat(2000),
      (xml) => xml.replace('<samlp:Response', `<samlp:Response${' a=""'.repeat(2000)}`),
      (xml) => `${xml}<!--${'x'.repeat(256 * 1024)}-->`,
    ]
    for (const crowd of crowds) {
      const { requestId, relayState } = await begin()
      const signed = signAnswer(writeAnswer(server, requestId), company)
      const { fragment } = await show(crowd(signed), relayState)
      expect(Object.fromEntries(fragment)).toMatchObject(NOT_VALID)
    }
  })

  it('wrapped around a forged one opens no session', async () => {
    const wrap: ((signed: string, forged: string) => string)[] = [
      // A second assertion beside, before, and around the signed one.
      (signed, forged) => signed.replace('</samlp:Response>', `${forged}</samlp:Response>`),
      (signed, forged) => signed.replace('<saml:Assertion', `${forged}<saml:Assertion`),
      (signed, forged) => {
        const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? []
        const around = forged.replace(
          '</saml:Assertion>',
          `<saml:Advice>${assertion}</saml:Advice></saml:Assertion>`,
        )
        return signed.replace(assertion, around)
      },
      (signed, forged) => {
        const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? []
        const [signature = ''] = /<Signature.*<\/Signature>/s.exec(signed) ?? []
        const original = assertion.replace(signature, '')
        const moved = signature.replace('</Signature>', `<Object>${original}</Object></Signature>`)
        return signed.replace(assertion, forged.replace('<saml:Subject>', `${moved}<saml:Subject>`))
      },
    ]
    for (const make of wrap) {
      const { requestId, relayState } = await begin()
      const signed = signAnswer(writeAnswer(server, requestId), company)
      const other = writeAnswer(server, requestId, { nameId: 'the-director', email: 'boss@company.example' })
      const [forged = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(other) ?? []
      const { fragment } = await show(make(signed, forged), relayState)
      expect(Object.fromEntries(fragment)).toMatchObject(NOT_VALID)
    }
  })

  it('is accepted once, and not in the answer to another request', async () => {
    const first = await begin()
    const xml = signAnswer(writeAnswer(server, first.requestId), company)
    expect((await show(xml, first.relayState)).fragment.get('access_token')).not.toBeNull()
    const gone = { error_code: 'saml_relay_state_not_found' }
    expect(Object.fromEntries((await show(xml, first.relayState)).fragment)).toMatchObject(gone)
    const second = await begin()
    expect(Object.fromEntries((await show(xml, second.relayState)).fragment)).toMatchObject(NOT_VALID)
    const third = await begin()
    // The enclosing answer is not signed, so anybody can write another request's id there.
    const moved = xml.replace(`InResponseTo="${first.requestId}"`, `InResponseTo="${third.requestId}"`)
    expect(Object.fromEntries((await show(moved, third.relayState)).fragment)).toMatchObject(NOT_VALID)
  })

  it('with a used id opens no session', async () => {
    const id = `_${randomUUID()}`
    expect((await signIn({ id })).user).not.toBeNull()
    expect(Object.fromEntries((await signIn({ id })).fragment)).toMatchObject(NOT_VALID)
  })

  it('that was not requested opens no session', async () => {
    const { fragment, url } = await show(signAnswer(writeAnswer(server, '_x'), company), 'x')
    expect(url.origin).toBe(new URL(server.url).origin)
    expect(fragment.get('error_code')).toBe('saml_relay_state_not_found')
  })

  it('is refused after five minutes', async () => {
    const { requestId, relayState } = await begin()
    await server.context.db
      .updateTable('auth.flows')
      .set({ created_at: new Date(Date.now() - 301_000) })
      .where('state_hash', 'is not', null)
      .execute()
    const { fragment } = await show(signAnswer(writeAnswer(server, requestId), company), relayState)
    expect(fragment.get('error_code')).toBe('saml_relay_state_expired')
  })
})

describe('single sign-on', () => {
  it.each([
    [{}, 400, 'A provider_id or domain needs to be provided'],
    [{ provider_id: COMPANY_ID, domain: 'x' }, 400, 'Only one of provider_id or domain supported'],
    [{ provider_id: randomUUID() }, 404, 'No such SSO provider'],
    [{ provider_id: 'no id' }, 404, 'No such SSO provider'],
    [{ domain: 'elsewhere.example' }, 404, 'No SSO provider assigned for this domain'],
  ])('refuses %o', async (body, status, msg) => {
    expect(await post(server, '/sso', body)).toMatchObject({ status, body: { msg } })
  })

  it('redirects the user if the page does not ask for the address', async () => {
    const url = await follow(`${server.url}/sso`, {
      method: 'POST',
      body: JSON.stringify({ provider_id: COMPANY_ID }),
    })
    expect(url).toMatch(/^https:\/\/idp\.example\.com\/sso\?SAMLRequest=/)
  })

  it('describes itself to identity providers', async () => {
    const response = await fetch(`${server.url}/sso/saml/metadata`)
    const xml = await response.text()
    expect(xml).toContain(`entityID="${server.url}/sso/saml/metadata"`)
    expect(xml).toContain(`Location="${server.url}/sso/saml/acs"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
  })

  it('is off until a company is configured, and then reads no body', async () => {
    const off = await startAuthServer()
    try {
      const refusal = {
        status: 404,
        body: { error_code: 'saml_provider_disabled', msg: 'SAML 2.0 is disabled' },
      }
      expect(await post(off, '/sso', '{ no json')).toMatchObject(refusal)
      expect(await post(off, '/sso/saml/acs', 'x')).toMatchObject(refusal)
      expect(await call(off, '/sso/saml/metadata')).toMatchObject(refusal)
      const { error } = await off.newClient().signInWithSSO({ providerId: 'no uuid' })
      expect(error).toMatchObject({ status: 404, code: 'saml_provider_disabled' })
    } finally {
      await off.close()
    }
  })
})
