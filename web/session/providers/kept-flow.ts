import { z } from 'zod'

const KEY = 'leadwire.provider-flow'
const flowSchema = z.object({
  verifier: z.string(),
  provider: z.string(),
  purpose: z.enum(['sign_in', 'link']),
})

/** A sign-in or a link that this tab has begun by a provider. */
export type ProviderFlow = z.infer<typeof flowSchema>

/** In session storage: another tab, and whoever sends a link with a code of his own, has no verifier to it. */
export function keepFlow(flow: ProviderFlow) {
  sessionStorage.setItem(KEY, JSON.stringify(flow))
}

/** The flow, once; null where none waits. */
export function takeFlow(): ProviderFlow | null {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return flowSchema.parse(JSON.parse(kept ?? ''))
  } catch {
    return null
  }
}
