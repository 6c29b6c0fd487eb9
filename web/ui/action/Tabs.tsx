import { createContext, useContext, useId, type KeyboardEvent, type ReactNode } from 'react'

const ShownTab = createContext<{ id: string; value: string | null }>({ id: '', value: null })

export interface TabsProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly { value: Value; label: ReactNode }[]
  /** TabPanel elements. */
  children: ReactNode
}

/**
 * The arrow keys move between tabs; Enter and Space open the focused one, because a panel may have to be
 * loaded.
 */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, value, onValueChange, tabs, children } = props
  const id = useId()
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        className="flex flex-wrap gap-x-3 border-b border-line sm:gap-x-6 print:hidden"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onValueChange(tab.value)}
            onKeyDown={moveFocus}
            className="h-10 min-w-6 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-muted transition-colors -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <ShownTab value={{ id, value }}>{children}</ShownTab>
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  const at = tabs.findIndex((tab) => tab === event.currentTarget)
  const moves: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: tabs.length - 1,
  }
  const next = moves[event.key]
  if (next === undefined) return
  event.preventDefault()
  tabs.at(next % tabs.length)?.focus()
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  const shown = useContext(ShownTab)
  if (shown.value !== value) return null
  return (
    <div
      role="tabpanel"
      id={`${shown.id}-panel`}
      aria-labelledby={`${shown.id}-${value}`}
      tabIndex={0}
      className="pt-6 outline-offset-4"
    >
      {children}
    </div>
  )
}
