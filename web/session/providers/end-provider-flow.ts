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
 * Ends a provider flow of this tab if the address has its code: with a session, or with the account linked. A
 * failure is left to the landing's notice.
 */
export function endProviderFlow(): Promise<void> {
  // A code is valid once, so this runs once per page, however often React calls it.
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
    // A user who links an account stays signed in with the second factor already verified, so we end the
    // session of the code.
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
