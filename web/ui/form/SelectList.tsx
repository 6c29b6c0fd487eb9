import clsx from 'clsx'
import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { FloatingList } from '../overlay/layer/FloatingList.tsx'

export interface SelectListProps {
  id: string
  anchor: HTMLElement
  active: number
  onActive: (index: number) => void
  chosen: number
  onChoose: (index: number) => void
  onDismiss: () => void
  labels: readonly string[]
}

/** The options of a Select, which keeps the focus. */
export function SelectList(props: SelectListProps) {
  const { id, anchor, active, onActive, chosen, onChoose, onDismiss, labels } = props
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <FloatingList
      anchor={anchor}
      placement={{ align: 'start', asWide: true }}
      onDismiss={onDismiss}
      // A press in the list must not take the focus from the select.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      id={id}
      role="listbox"
      aria-label={anchor.getAttribute('aria-label') ?? undefined}
      aria-labelledby={anchor.getAttribute('aria-labelledby') ?? undefined}
    >
      {labels.map((label, index) => (
        <div
          key={label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onClick={() => onChoose(index)}
          // The select has the focus and handles the keys; a screen reader may press the option itself.
          onKeyDown={({ key }) => {
            if (key === 'Enter') onChoose(index)
          }}
          onPointerMove={() => {
            if (index !== active) onActive(index)
          }}
          className={clsx(
            'flex h-8 items-center gap-2 rounded-md pr-3 pl-2 text-sm',
            index === active && 'bg-hover',
          )}
        >
          <span className="w-4 shrink-0">
            {index === chosen && <Check aria-hidden className="size-4 text-accent" />}
          </span>
          <span>{label}</span>
        </div>
      ))}
    </FloatingList>
  )
}
