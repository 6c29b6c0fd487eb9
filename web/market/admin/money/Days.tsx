import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface DaysProps {
  from: string
  to: string
  onChange: (changed: { from?: string; to?: string }) => void
}

/** The first and the last day of a range. */
export function Days({ from, to, onChange }: DaysProps) {
  return (
    <>
      <TextInput
        type="date"
        aria-label="From"
        value={from}
        onChange={({ target: { value } }) => onChange({ from: value })}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      <TextInput
        type="date"
        aria-label="To"
        value={to}
        min={from}
        onChange={({ target: { value } }) => onChange({ to: value })}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
    </>
  )
}
