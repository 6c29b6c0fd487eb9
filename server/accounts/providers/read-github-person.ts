import { z } from 'zod'
import { askServiceForJson } from '#core/http/ask-service.ts'
import type { OAuthProvider } from './open-providers.ts'
import { describePerson, type ProviderPerson } from './provider-person.ts'

const TIMEOUT_MS = 5000

const userSchema = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
})
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * Asks GitHub about the person. The address on the profile is free text; only /user/emails says which is
 * verified.
 */
export async function readGithubPerson(
  provider: OAuthProvider,
  accessToken: string,
): Promise<ProviderPerson> {
  const { issuer } = provider.place
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`
  const ask = (path: string): Promise<unknown> =>
    askServiceForJson({
      url: `${api}${path}`,
      headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/vnd.github+json' },
      timeoutMs: TIMEOUT_MS,
    })
  const [user, emails] = await Promise.all([
    ask('/user').then((answer) => userSchema.parse(answer)),
    ask('/user/emails').then((answer) => emailsSchema.parse(answer)),
  ])
  const chosen = emails.find(({ primary }) => primary) ?? emails[0]
  return describePerson({
    provider: provider.name,
    provider_id: String(user.id),
    issuer: api,
    email: chosen?.email,
    isEmailVerified: chosen?.verified ?? false,
    name: user.name,
    user_name: user.login,
    picture: user.avatar_url,
  })
}
