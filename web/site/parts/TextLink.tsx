import type { ReactNode } from 'react'

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="rounded-sm text-accent-strong underline underline-offset-2">
      {children}
    </a>
  )
}
