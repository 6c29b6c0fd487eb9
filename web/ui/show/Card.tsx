import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  /** True where the page's own title says the same: only screen readers get it. */
  isTitleHidden?: boolean
  /** Shown at the right end of the title's line. */
  actions?: ReactNode
  /** Removes the padding, for a table or list that reaches the border. */
  flush?: boolean
}

export function Card(props: CardProps) {
  const { title, isTitleHidden = false, actions, flush = false, className, children, ...rest } = props
  return (
    <section {...rest} className={clsx('min-w-0 rounded-lg border border-line bg-surface', className)}>
      {isTitleHidden && <h2 className="sr-only">{title}</h2>}
      {title !== undefined && !isTitleHidden && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2">
          <h2 className="text-sm font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className={flush ? 'overflow-hidden rounded-b-lg' : 'p-4'}>{children}</div>
    </section>
  )
}
