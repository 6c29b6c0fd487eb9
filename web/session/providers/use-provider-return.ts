import { useEffect, useState } from 'react'
import { landing } from '../landed.ts'
import { endProviderFlow } from './end-provider-flow.ts'

/** True while the page processes a provider's answer. */
export function useProviderReturn() {
  const [busy, setBusy] = useState(landing.code !== null)
  useEffect(() => {
    if (busy) void endProviderFlow().finally(() => setBusy(false))
  }, [busy])
  return busy
}
