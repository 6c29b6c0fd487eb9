import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

export interface OptionGroupProps {
  title: string
  /** the current settings, on one line if there is room */
  summary: ReactNode
  /** True if one of its fields has an error: the group then opens and stays open until it is corrected. */
  hasFault?: boolean
  /** Removes the padding, for a table that reaches the border. */
  flush?: boolean
  children: ReactNode
}

/**
 * A closed group of rarely changed options, with a summary of its settings. Its content is rendered when it
 * opens.
 */
export function OptionGroup({ title, summary, hasFault = false, flush = false, children }: OptionGroupProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  // Stays open after the correction, so that the field in use does not disappear.
  if (hasFault && !isOpen) setOpen(true)
  return (
    <div role="group" aria-labelledby={`${id}-title`}>
      <div className="relative flex min-h-11 flex-col gap-x-4 px-3 py-2 hover:bg-hover tight:px-2 sm:flex-row sm:items-center">
        <h3 className="sm:w-50 sm:shrink-0">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${id}-panel` : undefined}
            onClick={() => setOpen(!isOpen)}
            aria-describedby={`${id}-summary`}
            // The whole row opens the group, but the accessible name is only the title.
            className="group flex min-h-6 items-center gap-2 text-left tight:gap-1 text-sm font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent print:hidden"
          >
            <ChevronRight
              aria-hidden
              className="size-4 shrink-0 text-muted transition-transform group-aria-expanded:rotate-90"
            />
            <span id={`${id}-title`}>{title}</span>
          </button>
        </h3>
        <span
          id={`${id}-summary`}
          className="min-w-0 flex-1 pl-6 text-xs break-words text-muted tight:pl-5 sm:pl-0"
        >
          {summary}
        </span>
      </div>
      {isOpen && (
        <div
          id={`${id}-panel`}
          className={clsx('min-w-0', flush ? 'border-t border-line' : 'px-3 pt-2 pb-5 sm:px-4')}
        >
          {children}
        </div>
      )}
    </div>
  )
}
