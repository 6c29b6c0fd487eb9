import { z } from 'zod'
import { randomHex } from '../security/random-hex.ts'
import { authClient } from './auth-client.ts'
import { AUTH_URL } from './auth-url.ts'
import { describeProviderError } from './describe-provider-error.ts'
import { keepFlow } from './kept-flow.ts'

/** RFC 7636: 56 random values make a verifier of 112 characters, as SPEC.md §9 has it. */
const VERIFIER_BYTES = 56

/**
 * Leaves for a provider to sign in by it (PKCE). What it answers is read by `endProviderFlow` when the person is back.
 * @param path where on this origin the person comes back to
 */
export async function beginProviderSignIn(provider: string, path: string): Promise<void> {
  const parameters = await begin(provider, 'sign_in', path)
  location.assign(`${AUTH_URL}/authorize?${parameters}`)
}

const wayOutSchema = z.object({ url: z.url({ protocol: /^https?$/ }) })

/** The same to link the provider's account to the one that is signed in. @returns why it could not; null where the page leaves */
export async function beginProviderLink(provider: string, path: string): Promise<string | null> {
  const { data } = await authClient.getSession()
  const parameters = await begin(provider, 'link', path)
  parameters.set('skip_http_redirect', 'true')
  try {
    const response = await fetch(`${AUTH_URL}/user/identities/authorize?${parameters}`, {
      headers: {
        authorization: `Bearer ${data.session?.access_token ?? ''}`,
        'X-Supabase-Api-Version': '2024-01-01',
      },
    })
    const answer: unknown = await response.json()
    const wayOut = wayOutSchema.safeParse(answer)
    if (!wayOut.success) return describeProviderError(readCode(answer), { provider, purpose: 'link' })
    location.assign(wayOut.data.url)
    return null
  } catch {
    return describeProviderError('network', { provider, purpose: 'link' })
  }
}

async function begin(provider: string, purpose: 'sign_in' | 'link', path: string): Promise<URLSearchParams> {
  const verifier = randomHex(VERIFIER_BYTES)
  keepFlow({ verifier, provider, purpose })
  return new URLSearchParams({
    provider,
    redirect_to: location.origin + path,
    ...(await challengeFrom(verifier)),
  })
}

/** Browsers offer a digest on https and on localhost alone; elsewhere the verifier itself must do. */
async function challengeFrom(verifier: string) {
  if (!isSecureContext) return { code_challenge: verifier, code_challenge_method: 'plain' }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)))
  const challenge = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { code_challenge: challenge, code_challenge_method: 's256' }
}

const refusalSchema = z.object({ code: z.string() })

/** The code of a refusal of the service; empty where it has none. */
export function readCode(answer: unknown) {
  const refusal = refusalSchema.safeParse(answer)
  return refusal.success ? refusal.data.code : ''
}
