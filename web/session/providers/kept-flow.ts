const KEY = 'leadwire.provider-flow'

/** A sign-in or a link through a provider that this tab has begun. */
export interface ProviderFlow {
  verifier: string
  provider: string
  purpose: 'sign_in' | 'link'
}

/**
 * Kept in session storage, so that other tabs have no verifier, and neither has a victim who is sent a link
 * with an attacker's code.
 */
export function keepFlow(flow: ProviderFlow) {
  sessionStorage.setItem(KEY, JSON.stringify(flow))
}

/** Returns the flow once; null without one. */
export function takeFlow(): ProviderFlow | null {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    const flow: unknown = JSON.parse(kept ?? '')
    return isFlow(flow) ? flow : null
  } catch {
    return null
  }
}

/** Written without a schema, because it runs before the first screen and zod would double the download. */
function isFlow(given: unknown): given is ProviderFlow {
  if (typeof given !== 'object' || given === null) return false
  const { verifier, provider, purpose } = given as Partial<Record<keyof ProviderFlow, unknown>>
  return (
    typeof verifier === 'string' &&
    typeof provider === 'string' &&
    (purpose === 'sign_in' || purpose === 'link')
  )
}
