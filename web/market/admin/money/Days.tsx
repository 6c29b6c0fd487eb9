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
      <Day label="From" value={from} onChange={(day) => onChange({ from: day })} />
      <Day label="To" value={to} min={from} onChange={(day) => onChange({ to: day })} />
    </>
  )
}

interface DayProps {
  label: string
  value: string
  min?: string
  onChange: (day: string) => void
}

function Day({ label, onChange, ...input }: DayProps) {
  return (
    <label className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5 text-sm text-muted">
      {label}
      <TextInput
        type="date"
        {...input}
        onChange={({ target: { value } }) => onChange(value)}
        className="w-auto! max-w-full min-w-0"
      />
    </label>
  )
}
