import type { ReactNode } from 'react'
import { OFFLINE_REASON, OFFLINE_REASON_ID } from './action/use-offline-reason.ts'
import { Toaster } from './overlay/Toaster.tsx'

/** Provides for this folder's parts: a place for toasts, and the reason why nothing can be sent. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <p id={OFFLINE_REASON_ID} hidden>
        {OFFLINE_REASON}
      </p>
      <Toaster />
    </>
  )
}
