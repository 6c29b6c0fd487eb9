const KEY = 'leadwire.provider-flow'

/** A sign-in or a link that this tab has begun by a provider. */
export interface ProviderFlow {
  verifier: string
  provider: string
  purpose: 'sign_in' | 'link'
}

/** In session storage: another tab, and whoever sends a link with a code of his own, has no verifier to it. */
export function keepFlow(flow: ProviderFlow) {
  sessionStorage.setItem(KEY, JSON.stringify(flow))
}

/** The flow, once; null where none waits. */
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

/** Without a schema: it is asked before the first screen, and the schemas' library is as large as that. */
function isFlow(given: unknown): given is ProviderFlow {
  if (typeof given !== 'object' || given === null) return false
  const { verifier, provider, purpose } = given as Partial<Record<keyof ProviderFlow, unknown>>
  return (
    typeof verifier === 'string' &&
    typeof provider === 'string' &&
    (purpose === 'sign_in' || purpose === 'link')
  )
}
