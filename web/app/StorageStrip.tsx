import { Archive } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { listenToStorageState, readStorageState } from './keep-storage.ts'

const WORDS = {
  denied:
    'This browser keeps nothing for Leadwire. It works, but you are signed out and settings of the screen are gone once this page is closed or reloaded.',
  full: 'This browser has no room left for Leadwire. It works, but what it could not keep, as your session or settings of the screen, is gone once this page is closed or reloaded.',
}

/** Says what is not kept if the browser denies storage or has no room left. */
export function StorageStrip() {
  const state = useSyncExternalStore(listenToStorageState, readStorageState)
  if (state === 'kept') return null
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-line bg-waiting-soft px-4 py-2 text-sm text-waiting sm:px-6 lg:px-8 print:hidden"
    >
      <Archive aria-hidden className="size-4 shrink-0" />
      <span>{WORDS[state]}</span>
    </p>
  )
}
