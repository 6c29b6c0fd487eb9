import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startGithubServer, type GithubServer } from '#tests/support/peers/github-server.ts'
import { newEmail, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { follow, readLanding } from './walk-oauth.ts'

let server: AuthServer
let github: GithubServer
beforeAll(async () => {
  github = await startGithubServer('a secret')
  server = await startAuthServer({
    AUTH_PROVIDERS: JSON.stringify({
      github: { issuer: github.url, client_id: 'leadwire', client_secret: 'a secret' },
      wrong: { type: 'oauth2', issuer: github.url, client_id: 'leadwire', client_secret: 'another' },
    }),
  })
})
afterAll(async () => {
  await server.close()
  await github.close()
})

let count = 0
beforeEach(() => {
  count += 1
  github.person = {
    id: count,
    login: 'ada',
    name: 'Ada Buyer',
    emails: [
      { email: 'ada@old.example', primary: false, verified: true },
      { email: newEmail(), primary: true, verified: true },
    ],
  }
})

async function signIn(provider = 'github') {
  const client = server.newClient('pkce')
  const { data } = await client.signInWithOAuth({
    provider: provider as 'github',
    options: { skipBrowserRedirect: true },
  })
  const landing = readLanding(await follow(github.walk(await follow(data.url ?? ''))))
  const code = landing.query.get('code')
  if (code === null) return { landing, user: null }
  return { landing, user: (await client.exchangeCodeForSession(code)).data.user }
}

describe('sign-in by GitHub', () => {
  it('uses the primary address and the profile', async () => {
    const { user } = await signIn()
    expect(user).toMatchObject({
      email: github.person.emails[1]?.email,
      app_metadata: { provider: 'github', providers: ['github'] },
      user_metadata: { user_name: 'ada', full_name: 'Ada Buyer', avatar_url: `${github.url}/ada.png` },
    })
    expect(user?.identities).toMatchObject([{ id: String(count), provider: 'github' }])
    github.person.login = 'ada-renamed'
    expect((await signIn()).user?.id).toBe(user?.id)
  })

  it('links an account only by a verified address', async () => {
    const someone = await signUpSomeone(server)
    github.person.emails = [{ email: someone.email, primary: true, verified: false }]
    const refused = await signIn()
    expect(refused.landing.query.get('error_code')).toBe('provider_email_needs_verification')
    github.person.emails = [{ email: someone.email, primary: true, verified: true }]
    expect((await signIn()).user?.id).toBe(someone.user.id)
  })

  it('needs an address', async () => {
    github.person.emails = []
    const { landing } = await signIn()
    expect(landing.query.get('error_description')).toBe('Error getting user email from external provider')
  })

  it('reports to the page that GitHub refused the code', async () => {
    const { landing } = await signIn('wrong')
    expect(landing.query.get('error')).toBe('server_error')
    expect(landing.query.get('error_description')).toBe('Unable to exchange external code')
  })
})
