import { useState } from 'react'
import type { ClientAccount, QuietHours as Hours } from '#core/contract/market/client-account.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Card } from '#web/ui/show/Card.tsx'

const PROPOSED: Hours = { from: '21:00', to: '07:00' }

/** Hours in which the chosen mails wait. */
export function QuietHours({
  account,
  disabled,
  onChange,
}: {
  account: ClientAccount
  disabled: boolean
  onChange: (hours: Hours | null) => void
}) {
  const { quiet_hours: hours, timezone } = account
  return (
    <Card title="Quiet hours">
      <div className="flex flex-col gap-4">
        <Switch
          label="Hold mails at night"
          hint={`The mails chosen above wait until the quiet hours end, by the clock of ${timezone.replaceAll('_', ' ')}.`}
          asks
          checked={hours !== null}
          disabled={disabled}
          onCheckedChange={(on) => onChange(on ? PROPOSED : null)}
        />
        {hours !== null && (
          <Times key={`${hours.from}-${hours.to}`} hours={hours} disabled={disabled} onSave={onChange} />
        )}
      </div>
    </Card>
  )
}

function Times({
  hours,
  disabled,
  onSave,
}: {
  hours: Hours
  disabled: boolean
  onSave: (hours: Hours) => void
}) {
  const [from, setFrom] = useState(hours.from)
  const [to, setTo] = useState(hours.to)
  const isSame = from === to
  const isChanged = from !== hours.from || to !== hours.to
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSame) onSave({ from, to })
      }}
    >
      <Field label="From">
        <TextInput type="time" required value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      <Field label="Until" {...(isSame && { error: 'Must differ from the beginning' })}>
        <TextInput type="time" required value={to} onChange={(event) => setTo(event.target.value)} />
      </Field>
      <Button type="submit" asks disabled={disabled || !isChanged}>
        Save hours
      </Button>
    </form>
  )
}
