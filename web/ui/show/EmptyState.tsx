import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon?: ReactNode
  title: string
  /** Says what will appear here, or how to make the first one. */
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-14 text-center tight:px-0 tight:py-6">
      {icon !== undefined && (
        <div className="mb-3 text-faint [&_svg]:size-6 [&_svg]:stroke-[1.5]">{icon}</div>
      )}
      <p className="text-sm font-semibold">{title}</p>
      {children !== undefined && <div className="max-w-md text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  )
}
