import type { ReactNode, Ref } from 'react'
import { createPortal } from 'react-dom'

/** Renders floating content at the end of the page, so that no container clips it. */
export function Portal({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return createPortal(<div ref={ref}>{children}</div>, document.body)
}
