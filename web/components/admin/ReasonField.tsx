import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import type { Reason } from './use-reason.ts'

export interface ReasonFieldProps {
  reason: Reason
  /** The server's error for this field. */
  fault: string | undefined
  label?: string
  hint?: string
  required?: boolean
  maxLength?: number
}

/** Asks for the reason of a change. */
export function ReasonField(props: ReasonFieldProps) {
  const { reason, fault, label = 'Reason', required = true, maxLength = 500 } = props
  const { hint = 'Only administrators see it, and it is kept for good. Name no people.' } = props
  return (
    <Field label={label} required={required} hint={hint} error={reason.fault ?? fault}>
      <TextArea
        rows={3}
        maxLength={maxLength}
        value={reason.text}
        onChange={(event) => reason.enter(event.target.value)}
      />
    </Field>
  )
}
