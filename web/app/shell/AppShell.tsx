import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { keepLive } from '#web/api/keep-live.ts'
import { useKeptFlag } from './use-kept-flag.ts'
import { Sheet } from '#web/ui/overlay/Sheet.tsx'
import { LinkNotice } from '../LinkNotice.tsx'
import { StorageStrip } from '../StorageStrip.tsx'
import { OfflineStrip } from './OfflineStrip.tsx'
import { RoleGate } from './RoleGate.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SidebarContent, type MenuProps } from './SidebarContent.tsx'
import { TopBar } from './TopBar.tsx'

export interface AppShellProps {
  /** what the sidebar holds; the client's menu without it */
  Menu?: ComponentType<MenuProps>
  /** the screen; the route's without it */
  children?: ReactNode
}

export function AppShell({ Menu = SidebarContent, children = <Outlet /> }: AppShellProps) {
  const [narrow, setNarrow] = useKeptFlag('leadwire.sidebar-narrow')
  const [drawerOpen, setDrawerOpen] = useState(false)
  const main = useFocusAfterNavigation()
  const queryClient = useQueryClient()
  useEffect(() => keepLive(queryClient), [queryClient])

  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== 'b') return
      event.preventDefault()
      setNarrow(!narrow)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [narrow, setNarrow])

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-lg bg-accent px-4 py-2 text-sm font-medium text-on-accent focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <Sidebar narrow={narrow} onNarrowChange={setNarrow}>
        <Menu narrow={narrow} />
      </Sidebar>
      <Sheet open={drawerOpen} onOpenChange={setDrawerOpen} title="Menu" titleHidden>
        <Menu onNavigate={() => setDrawerOpen(false)} />
      </Sheet>
      {/* Without min-w-0 a wide table would push the page under the sidebar. */}
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onOpenMenu={() => setDrawerOpen(true)} />
        <OfflineStrip />
        <StorageStrip />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="mx-auto w-full max-w-[1400px] flex-1 px-4 py-6 sm:px-6 lg:px-8 lg:py-8"
        >
          <div className="flex flex-col gap-6">
            <LinkNotice nextStep="Ask for a new one." />
            <RoleGate>{children}</RoleGate>
          </div>
        </main>
      </div>
    </div>
  )
}

/** After a navigation the keyboard and screen readers start at the content of the new screen. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
