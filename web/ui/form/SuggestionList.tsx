import clsx from 'clsx'
import { useEffect } from 'react'
import { Portal } from '../overlay/layer/Portal.tsx'
import { usePlacement } from '../overlay/layer/use-placement.ts'
import type { SelectOption } from './Select.tsx'

export interface SuggestionListProps {
  id: string
  labelledBy: string | undefined
  anchor: HTMLElement | null
  /** -1 for none */
  active: number
  options: readonly SelectOption<string>[]
  onChoose: (value: string) => void
}

/** Suggestions below a text field; the field keeps the focus and handles the keys. */
export function SuggestionList({ id, labelledBy, anchor, active, options, onChoose }: SuggestionListProps) {
  const popup = usePlacement(anchor, { align: 'start', asWide: true })
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <Portal>
      <div
        ref={popup}
        id={id}
        role="listbox"
        aria-labelledby={labelledBy}
        className="fixed z-50 overflow-y-auto rounded-lg bg-raised shadow-float outline-none"
      >
        <div className="max-h-60 overflow-y-auto p-1">
          {options.map(({ value, label }, index) => (
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // A press must not take the focus from the field.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(value)}
              onKeyDown={({ key }) => {
                if (key === 'Enter') onChoose(value)
              }}
              className={clsx(
                'flex h-8 items-center rounded-md px-3 text-sm hover:bg-hover',
                index === active && 'bg-hover',
              )}
            >
              {label}
            </div>
          ))}
        </div>
      </div>
    </Portal>
  )
}
