import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { Toaster } from './overlay/Toaster.tsx'

/** What the parts of this folder need around them: no inline style elements, the tooltip's delays, the toasts. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {/* docs/product.md §9: tooltip open delay 700 ms, skip delay 300 ms. */}
      <Tooltip.Provider delay={700} timeout={300}>
        {children}
        <Toaster />
      </Tooltip.Provider>
    </CSPProvider>
  )
}
