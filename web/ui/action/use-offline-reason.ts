import { useIsOnline } from '../use-is-online.ts'

/** Element of UiProvider that holds the reason, for whatever is held back to be described by. */
export const OFFLINE_REASON_ID = 'offline-reason'
export const OFFLINE_REASON = 'You are offline. This works again once you are back.'

/** Why what asks the server cannot be used now; null while it can, and for what asks nobody. */
export function useOfflineReason(asks: boolean): string | null {
  const isOnline = useIsOnline()
  return asks && !isOnline ? OFFLINE_REASON : null
}
