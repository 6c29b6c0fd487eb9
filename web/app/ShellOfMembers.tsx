import type { ReactNode } from 'react'
import { Outlet } from 'react-router-dom'
import { useIsIn } from '../session/use-is-in.ts'

/** Who is signed in keeps the shell, also where there is no screen; everybody else sees the page alone. */
export function ShellOfMembers({ children: shell }: { children: ReactNode }) {
  const isIn = useIsIn()
  if (isIn === undefined) return null
  return isIn ? shell : <Outlet />
}
