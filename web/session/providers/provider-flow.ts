import type { Provider } from '@supabase/auth-js'
import { randomHex } from '../security/random-hex.ts'
import { authClient } from '../auth-client.ts'
import { describeProviderError } from './describe-provider-error.ts'
import { keepFlow, type ProviderFlow } from './kept-flow.ts'
import { leaveEndedSession } from '../leave-ended-session.ts'

/** docs/product.md §9: a PKCE verifier of 56 random values. */
const VERIFIER_BYTES = 56

/**
 * Leaves for a provider to sign in by it. What it answers is read by `endProviderFlow` when the person is back.
 * @param path where on this origin the person comes back to
 */
export async function beginProviderSignIn(provider: string, path: string): Promise<void> {
  await authClient.signInWithOAuth(await begin(provider, 'sign_in', path))
}

/** The same to link the provider's account to the one that is signed in. @returns why it could not; null where the page leaves */
export async function beginProviderLink(provider: string, path: string): Promise<string | null> {
  const { error } = await authClient.linkIdentity(await begin(provider, 'link', path))
  if (error === null || (await leaveEndedSession(error))) return null
  return describeProviderError(error.code ?? 'network', { provider })
}

/** The client's own flow is the implicit one (docs/product.md §9), whose tokens would come back in the address: so PKCE is ours to add. */
async function begin(provider: string, purpose: ProviderFlow['purpose'], path: string) {
  const verifier = randomHex(VERIFIER_BYTES)
  keepFlow({ verifier, provider, purpose })
  return {
    // The service has any provider of its settings; the client names some.
    provider: provider as Provider,
    options: { redirectTo: location.origin + path, queryParams: await challengeFrom(verifier) },
  }
}

/** Browsers offer a digest on https and on localhost alone; elsewhere the verifier itself must do (RFC 7636 §4.2). */
async function challengeFrom(verifier: string): Promise<Record<string, string>> {
  if (!isSecureContext) return { code_challenge: verifier, code_challenge_method: 'plain' }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)))
  const challenge = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { code_challenge: challenge, code_challenge_method: 's256' }
}
