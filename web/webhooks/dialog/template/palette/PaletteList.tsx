import clsx from 'clsx'
import { useEffect } from 'react'
import { Portal } from '#web/ui/overlay/layer/Portal.tsx'
import { usePlacement } from '#web/ui/overlay/layer/use-placement.ts'
import type { PlaceholderGroup } from './filter-placeholders.ts'

export interface PaletteListProps {
  id: string
  anchor: HTMLElement | null
  groups: readonly PlaceholderGroup[]
  /** entries of all groups, in order; their indexes are the entries' ids */
  names: readonly string[]
  current: string | null
  onInsert: (inner: string) => void
}

/** The palette's entries above or below its search box, wherever there is room; the box keeps the focus. */
export function PaletteList({ id, anchor, groups, names, current, onInsert }: PaletteListProps) {
  const popup = usePlacement(anchor, { align: 'start', asWide: true })
  useEffect(() => {
    popup.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [popup, current])
  return (
    <Portal>
      <div
        ref={popup}
        className="fixed z-50 w-0 overflow-y-auto rounded-lg bg-raised shadow-float outline-none"
        // A press beside an entry or on the scroll bar must not take the focus from the box.
        onMouseDown={(event) => event.preventDefault()}
        role="presentation"
      >
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Placeholders"
          className="max-h-72 overflow-y-auto py-1"
        >
          {groups.map(({ group, items }) => (
            <div key={group} role="group" aria-labelledby={`${id}-group-${group}`}>
              <p id={`${id}-group-${group}`} className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
                {group}
              </p>
              {items.map(({ name, description, sample }) => (
                <button
                  type="button"
                  key={name}
                  id={`${id}-${names.indexOf(name)}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={name === current}
                  onClick={() => onInsert(name)}
                  className={clsx(
                    'flex w-full items-baseline gap-x-3 px-3 py-1 text-left hover:bg-hover',
                    sample !== undefined && 'flex-wrap',
                    name === current && 'bg-accent-soft',
                  )}
                >
                  <code className="min-w-0 shrink-0 font-mono text-xs text-ink max-sm:shrink max-sm:break-all">
                    {`{{${name}}}`}
                  </code>
                  <span
                    className={clsx(
                      'min-w-0 flex-1 truncate text-right text-xs',
                      sample === undefined ? 'text-muted' : 'text-ink',
                    )}
                    title={sample ?? description}
                  >
                    {sample ?? description}
                  </span>
                  {sample !== undefined && <span className="w-full text-xs text-muted">{description}</span>}
                </button>
              ))}
            </div>
          ))}
          {names.length === 0 && (
            <p role="status" className="px-3 py-6 text-center text-xs text-muted">
              No placeholder matches. A value of your own is {'{{custom.<key>}}'}.
            </p>
          )}
        </div>
      </div>
    </Portal>
  )
}
