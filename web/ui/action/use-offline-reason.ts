import { useIsOnline } from '../use-is-online.ts'

/** Id of the element of UiProvider with the reason, for `aria-describedby` of disabled controls. */
export const OFFLINE_REASON_ID = 'offline-reason'
export const OFFLINE_REASON = 'You are offline. This works again once you are back.'

/** Returns the reason why a control that sends requests cannot be used now; otherwise null. */
export function useOfflineReason(asks: boolean): string | null {
  const isOnline = useIsOnline()
  return asks && !isOnline ? OFFLINE_REASON : null
}
