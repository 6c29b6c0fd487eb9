import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface MomentInputProps {
  label: string
  /** ISO 8601, or empty. */
  value: string
  onChange: (iso: string) => void
  className?: string
}

/** A moment in the reader's own zone, kept as ISO 8601. */
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

/** A date that is still being typed has no moment. */
function fromLocal(local: string) {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
