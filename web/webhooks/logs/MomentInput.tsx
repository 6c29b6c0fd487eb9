import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface MomentInputProps {
  label: string
  /** ISO 8601, or empty. */
  value: string
  onChange: (iso: string) => void
  className?: string
}

/** An input for a time in the reader's own zone, stored as ISO 8601. */
export function MomentInput({ label, value, onChange, className = 'h-8! w-auto! px-2!' }: MomentInputProps) {
  return (
    <TextInput
      type="datetime-local"
      aria-label={label}
      value={toLocal(value)}
      onChange={(event) => onChange(fromLocal(event.target.value))}
      className={className}
    />
  )
}

function toLocal(iso: string) {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** An incomplete date has no time. */
function fromLocal(local: string) {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
