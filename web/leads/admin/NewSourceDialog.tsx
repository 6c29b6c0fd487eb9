import { useState } from 'react'
import { createdSourceSchema } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { KeyOnceDialog } from '#web/components/admin/KeyOnceDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'

const BEFORE = { name: '', owner_user_id: '', test_mode: true }

/** Creates a source, by default in test mode. Its key is shown once. */
export function NewSourceDialog({ onClose }: { onClose: () => void }) {
  const [entered, setEntered] = useState(BEFORE)
  const [key, setKey] = useState<string>()
  const keys = useIdempotencyKeys()
  const change = useChange(
    () => {
      const body = { ...entered, owner_user_id: entered.owner_user_id.trim() || null, auto_assign: true }
      const idempotencyKey = keys.keyOf(JSON.stringify(body))
      return request(apiPath('admin', 'sources'), createdSourceSchema, {
        method: 'POST',
        body,
        idempotencyKey,
      })
    },
    { onDone: (created) => setKey(created.api_key) },
  )
  if (key !== undefined)
    return (
      <KeyOnceDialog
        title={`The key of ${entered.name}`}
        advice="Send it over a channel that you trust, apart from the posting spec."
        label="API key"
        value={key}
        onClose={onClose}
      />
    )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Add a source"
      description="A program that posts leads with a key of its own."
      submit="Add source"
      dirty={JSON.stringify(BEFORE) !== JSON.stringify(entered)}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field
        label="Name"
        required
        error={change.faultOf('name')}
        hint="The source of leads that do not name one themselves."
      >
        <TextInput
          maxLength={120}
          value={entered.name}
          onChange={(event) => setEntered({ ...entered, name: event.target.value })}
        />
      </Field>
      <Field
        label="Client id"
        error={change.faultOf('owner_user_id')}
        hint="Only if all its leads belong to one client. Otherwise they are sold on the market."
      >
        <TextInput
          mono
          value={entered.owner_user_id}
          onChange={(event) => setEntered({ ...entered, owner_user_id: event.target.value })}
        />
      </Field>
      <Switch
        label="Test mode"
        hint="Until you switch it to live, every lead that it posts is a test and is never sold."
        checked={entered.test_mode}
        onCheckedChange={(test_mode) => setEntered({ ...entered, test_mode })}
      />
    </ChangeDialog>
  )
}
