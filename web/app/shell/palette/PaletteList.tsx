import clsx from 'clsx'
import { useEffect, useRef, type ReactNode } from 'react'
import { isMeantApart } from '#web/hooks/open-apart.ts'

export interface Entry {
  key: string
  group: string
  label: string
  /** stands beside the label */
  mark?: ReactNode
  note?: string
  /** the reason why it cannot be chosen now */
  refused: string | null
  run: () => void
  /** path of a screen that can open in a new tab */
  path?: string
}

export interface PaletteListProps {
  id: string
  entries: readonly Entry[]
  active: number
  onActive: (index: number) => void
  onChoose: (entry: Entry, isApart: boolean) => void
}

export function PaletteList({ id, entries, active, onActive, onChoose }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Found"
      className="min-h-0 flex-1 overflow-y-auto p-2 empty:hidden"
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
            {group}
          </p>
          {entries.map(
            (entry, index) =>
              entry.group === group && (
                <div
                  key={entry.key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  aria-disabled={entry.refused !== null}
                  // The box keeps the focus, as in a combobox; the arrow keys reach the entries.
                  tabIndex={-1}
                  onPointerMove={() => {
                    if (index !== active) onActive(index)
                  }}
                  onClick={(event) => onChoose(entry, isMeantApart(event))}
                  onAuxClick={(event) => {
                    if (event.button === 1) onChoose(entry, true)
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter') onChoose(entry, isMeantApart(event))
                  }}
                  className={clsx(
                    'flex min-h-9 items-center gap-3 rounded-md px-3 py-1.5 text-sm aria-disabled:opacity-50',
                    index === active && 'bg-hover',
                  )}
                >
                  <span className="min-w-0 truncate">{entry.label}</span>
                  {entry.mark}
                  {/* Where there is no room for both, the label keeps more of it. */}
                  <span className="ml-auto min-w-0 shrink-3 truncate text-xs text-muted">
                    {entry.refused ?? entry.note}
                  </span>
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  )
}
