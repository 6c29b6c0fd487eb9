import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { PATHS } from '../paths.ts'
import { Logo } from './Logo.tsx'
import { OfflineStrip } from './shell/OfflineStrip.tsx'
import { StorageStrip } from './StorageStrip.tsx'

export interface AuthFrameProps {
  title: string
  /** One line under the title. */
  lead?: ReactNode
  children: ReactNode
  /** Links to the other sign-in forms, below this one. */
  footer?: ReactNode
}

/** The frame of every screen before the app: one narrow column. */
export function AuthFrame({ title, lead, children, footer }: AuthFrameProps) {
  const heading = useFocusAfterChange(title)
  return (
    <>
      <title>{`${title} · Leadwire`}</title>
      <div className="fixed inset-x-0 top-0">
        <OfflineStrip beforeApp />
        <StorageStrip />
      </div>
      <main className="flex min-h-dvh flex-col items-center px-4 pt-[12dvh] pb-16">
        <div className="w-full max-w-sm">
          <Link to={PATHS.home} className="inline-block rounded-md">
            <Logo />
          </Link>
          <h1 ref={heading} tabIndex={-1} className="mt-8 text-lg outline-none font-semibold tracking-tight">
            {title}
          </h1>
          {lead !== undefined && <p className="mt-1 text-sm break-words text-muted">{lead}</p>}
          <div className="mt-4 flex flex-col gap-4">{children}</div>
          {footer !== undefined && (
            <div className="mt-6 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-4 text-sm text-muted [&>a]:py-0.5">
              {footer}
            </div>
          )}
        </div>
      </main>
    </>
  )
}

/** If the focused element left with the previous screen or step, moves the focus to the title of the new one. */
function useFocusAfterChange(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(title)
  const { key } = useLocation()
  useEffect(() => {
    const isFirstScreen = key === 'default' && before.current === title
    before.current = title
    if (!isFirstScreen && document.activeElement === document.body) heading.current?.focus()
  }, [title, key])
  return heading
}
