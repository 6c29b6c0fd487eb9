import { useSyncExternalStore } from 'react'

const query = matchMedia('(width < 40rem)')
const subscribe = (listener: () => void) => {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Below the breakpoint `sm`, where a table must be laid out in another way and not only be styled in one. */
export function useIsNarrow() {
  return useSyncExternalStore(subscribe, () => query.matches)
}
