import { Archive } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { listenToStorageState, readStorageState } from './keep-storage.ts'

const WORDS = {
  denied:
    'This browser stores nothing for Leadwire. Leadwire works, but when you close or reload this page, you are signed out and your screen settings are lost.',
  full: 'This browser has no storage left for Leadwire. Leadwire works, but your session or screen settings may be lost when you close or reload this page.',
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
