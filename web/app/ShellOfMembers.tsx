import type { ReactNode } from 'react'
import { Outlet } from 'react-router-dom'
import { useIsIn } from '../session/use-is-in.ts'

/** A signed-in user keeps the shell even on an unknown path; everybody else sees the page alone. */
export function ShellOfMembers({ children: shell }: { children: ReactNode }) {
  const isIn = useIsIn()
  if (isIn === undefined) return null
  return isIn ? shell : <Outlet />
}
