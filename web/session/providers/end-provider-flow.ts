import { z } from 'zod'
import { providerName } from '#web/format/provider-name.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { authClient } from '../auth-client.ts'
import { AUTH_URL } from '../auth-url.ts'
import { landing } from '../landed.ts'
import { describeProviderError } from './describe-provider-error.ts'
import type { ProviderFlow } from './kept-flow.ts'

const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() })
const refusalSchema = z.object({ code: z.string() })
type Tokens = z.infer<typeof tokensSchema>

let ending: Promise<void> | undefined

/**
 * Ends what this tab began by a provider, where the address brought its code: with a session, or with the account linked. What
 * went wrong is left for the notice of the landing to say.
 */
export function endProviderFlow(): Promise<void> {
  // Once for this page, however often React asks: a code is good once.
  ending ??= end()
  return ending
}

async function end(): Promise<void> {
  const { code, flow } = landing
  if (code === null) return
  if (flow === null) {
    landing.error = 'It was begun in another window. Please try again here.'
    return
  }
  const traded = await trade(code, flow)
  if ('refused' in traded) {
    landing.error = describeProviderError(traded.refused, flow)
    return
  }
  const { data } = await authClient.getSession()
  if (flow.purpose === 'link' && data.session !== null) {
    // Who links stays signed in as he was, with the second factor that he has shown; the session of the code is one too many.
    await authClient.admin.signOut(traded.access_token, 'local')
    await authClient.refreshSession()
    toast.success(`${providerName(flow.provider)} is linked`)
    return
  }
  const { error } = await authClient.setSession(traded)
  if (error !== null) landing.error = describeProviderError(error.code ?? 'network', flow)
}

async function trade(code: string, { verifier }: ProviderFlow): Promise<Tokens | { refused: string }> {
  try {
    const response = await fetch(`${AUTH_URL}/token?grant_type=pkce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' },
      body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
    })
    const answer: unknown = await response.json()
    const tokens = tokensSchema.safeParse(answer)
    if (tokens.success) return tokens.data
    const refusal = refusalSchema.safeParse(answer)
    return { refused: refusal.success ? refusal.data.code : '' }
  } catch {
    return { refused: 'network' }
  }
}
