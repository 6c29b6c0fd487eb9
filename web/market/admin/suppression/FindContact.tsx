import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { suppressionSchema, type Suppression } from '#core/contract/market/suppression.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { words } from '#web/format/words.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

const foundSchema = z.object({ data: z.array(suppressionSchema) })

/** Looks up one phone or address in the list. Entries cannot be found in any other way. */
export function FindContact({ onRemove }: { onRemove: (entry: Suppression) => void }) {
  const [contact, setContact] = useState('')
  const find = useMutation({
    mutationFn: () =>
      request(apiPath('admin', 'suppressions', 'find'), foundSchema, { method: 'POST', body: { contact } }),
  })
  const entries = find.data?.data
  const fault =
    find.error === null
      ? undefined
      : ((find.error instanceof ApiError ? find.error.errors[0]?.message : undefined) ??
        errorSentence(find.error))
  return (
    <form
      noValidate
      role="search"
      aria-label="Look for one phone or email"
      className="flex w-full flex-wrap items-start gap-2 sm:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        if (contact.trim() !== '') find.mutate()
      }}
    >
      <Field label="Phone or email" labelHidden error={fault} className="w-full sm:w-72">
        <TextInput
          type="search"
          placeholder="Is this phone or email on the list?"
          value={contact}
          onChange={(event) => {
            setContact(event.target.value)
            find.reset()
          }}
        />
      </Field>
      <Button type="submit" busy={find.isPending}>
        Look
      </Button>
      <p role="status" className="flex min-h-9 flex-wrap items-center gap-2 text-sm">
        {entries?.length === 0 && <span>Not on the list</span>}
        {entries?.map((entry) => (
          <span key={entry.id} className="flex items-center gap-2">
            {`${entry.client_user_id === null ? 'On the list' : 'Kept from one client'}: ${words(entry.reason).toLowerCase()}`}
            <Button size="sm" variant="quiet" onClick={() => onRemove(entry)}>
              Remove
            </Button>
          </span>
        ))}
      </p>
    </form>
  )
}
