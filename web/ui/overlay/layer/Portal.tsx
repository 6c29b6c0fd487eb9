import type { ReactNode, Ref } from 'react'
import { createPortal } from 'react-dom'

/** Where what floats is put: after everything else in the page, so that no box on the way cuts it off. */
export function Portal({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return createPortal(<div ref={ref}>{children}</div>, document.body)
}
