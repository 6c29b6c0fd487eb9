import type { ReactNode } from 'react'
import { Toaster } from './overlay/Toaster.tsx'

/** What the parts of this folder need around them: a place for the toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <Toaster />
    </>
  )
}
