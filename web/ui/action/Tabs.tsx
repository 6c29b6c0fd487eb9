import { Tabs as Base } from '@base-ui/react/tabs'
import { createContext, useContext, type ReactNode } from 'react'

const ShownTab = createContext<string | null>(null)

export interface TabsProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly { value: Value; label: ReactNode }[]
  /** TabPanel elements. */
  children: ReactNode
}

export function Tabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  children,
}: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onValueChange(next)}>
      <Base.List
        aria-label={label}
        className="relative flex gap-6 overflow-x-auto border-b border-line print:hidden"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="h-10 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-muted transition-colors -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <ShownTab value={value}>{children}</ShownTab>
    </Base.Root>
  )
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }) {
  // Base UI keeps a panel until its transitions end; two panels at once would mean two of every label.
  if (useContext(ShownTab) !== value) return null
  return (
    <Base.Panel value={value} className="pt-6">
      {children}
    </Base.Panel>
  )
}
