import { useState } from 'react'
import {
  madeServiceKeySchema,
  USUAL_KEY_DAYS,
  type MadeServiceKey,
} from '#core/contract/accounts/service-key.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { KeyOnceDialog } from '#web/components/admin/KeyOnceDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

const BEFORE = { program: '', days: String(USUAL_KEY_DAYS) }

/** Makes a key for a program, and shows it once. */
export function MakeServiceKeyDialog({ onClose }: { onClose: () => void }) {
  const [entered, setEntered] = useState(BEFORE)
  const [made, setMade] = useState<MadeServiceKey>()
  const reason = useReason()
  const change = useChange(
    () =>
      request(apiPath('admin', 'service-keys'), madeServiceKeySchema, {
        method: 'POST',
        body: { program: entered.program, days: Number(entered.days || Number.NaN), reason: reason.text },
      }),
    { onDone: setMade },
  )
  if (made !== undefined)
    return (
      <KeyOnceDialog
        title={`The key of ${made.program}`}
        advice="Keep it on servers, never in a browser or a repository."
        label="Service key"
        value={made.key}
        onClose={onClose}
      />
    )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Make a service key"
      description="With it a program creates, changes and deletes every account, without a password or a second factor."
      submit="Make key"
      dirty={JSON.stringify(BEFORE) !== JSON.stringify(entered) || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Field
        label="Program"
        required
        error={change.faultOf('program')}
        hint="The program that will use the key."
      >
        <TextInput
          maxLength={100}
          autoComplete="off"
          value={entered.program}
          onChange={(event) => setEntered({ ...entered, program: event.target.value })}
        />
      </Field>
      <Field label="Valid for (days)" required error={change.faultOf('days')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          className="tabular"
          value={entered.days}
          onChange={(event) => setEntered({ ...entered, days: event.target.value })}
        />
      </Field>
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
