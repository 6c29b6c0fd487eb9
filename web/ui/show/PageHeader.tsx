import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: ReactNode
  description?: ReactNode
  /** Shown before the title, for example a link back. */
  before?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, description, before, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {before}
        <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
        {description !== undefined && <p className="mt-1 max-w-prose text-base text-muted">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
