import type { Provider } from '@supabase/auth-js'
import { randomHex } from '../security/random-hex.ts'
import { authClient } from '../auth-client.ts'
import { describeProviderError } from './describe-provider-error.ts'
import { keepFlow, type ProviderFlow } from './kept-flow.ts'
import { leaveEndedSession } from '../leave-ended-session.ts'

/** A PKCE verifier of 56 random values (docs/product.md §9). */
const VERIFIER_BYTES = 56

/**
 * Leaves for a provider to sign in. `endProviderFlow` reads its answer when the user returns.
 * @param path on this origin to return to
 */
export async function beginProviderSignIn(provider: string, path: string): Promise<void> {
  await authClient.signInWithOAuth(await begin(provider, 'sign_in', path))
}

/**
 * Leaves for a provider to link its account to the signed-in one. @returns the reason if that failed; null if
 * the page leaves
 */
export async function beginProviderLink(provider: string, path: string): Promise<string | null> {
  const { error } = await authClient.linkIdentity(await begin(provider, 'link', path))
  if (error === null || (await leaveEndedSession(error))) return null
  return describeProviderError(error.code ?? 'network', { provider })
}

/**
 * auth-js uses the implicit flow (docs/product.md §9), whose tokens would come back in the address, so we add
 * PKCE ourselves.
 */
async function begin(provider: string, purpose: ProviderFlow['purpose'], path: string) {
  const verifier = randomHex(VERIFIER_BYTES)
  keepFlow({ verifier, provider, purpose })
  return {
    // The service supports every provider of its settings; the type names only some.
    provider: provider as Provider,
    options: { redirectTo: location.origin + path, queryParams: await challengeFrom(verifier) },
  }
}

/**
 * Browsers offer a digest only on https and localhost; elsewhere we send the verifier itself (RFC 7636 §4.2).
 */
async function challengeFrom(verifier: string): Promise<Record<string, string>> {
  if (!isSecureContext) return { code_challenge: verifier, code_challenge_method: 'plain' }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)))
  const challenge = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { code_challenge: challenge, code_challenge_method: 's256' }
}
