import { useMutation } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { dataHeldSchema } from '#core/contract/leads/data-subject.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { PersonFound } from './PersonFound.tsx'

/** Finds what is stored about a person, to show consent, to hand a copy out, or to erase it. */
export function PersonPanel() {
  const [contact, setContact] = useState('')
  const find = useMutation({
    mutationFn: (asked: string) =>
      request(apiPath('admin', 'data-subjects', 'find'), dataHeldSchema, {
        method: 'POST',
        body: { contact: asked },
      }),
  })
  const fault =
    find.error === null
      ? undefined
      : ((find.error instanceof ApiError ? find.error.errors[0]?.message : undefined) ??
        errorSentence(find.error))
  return (
    <Card title="One person" flush>
      <form
        noValidate
        role="search"
        aria-label="Find a person"
        className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (contact.trim() !== '') find.mutate(contact)
        }}
      >
        <Field label="Person’s phone or email" labelHidden error={fault} className="w-full sm:w-80">
          <TextInput
            type="search"
            autoComplete="off"
            placeholder="Person’s phone or email"
            value={contact}
            onChange={({ target }) => {
              setContact(target.value)
              find.reset()
            }}
          />
        </Field>
        <Button type="submit" icon={<Search aria-hidden className="size-4" />} busy={find.isPending}>
          Find person
        </Button>
      </form>
      {find.data === undefined ? (
        <p className="px-4 py-3 text-sm text-muted">
          Shows every lead of a person with the evidence of consent. From there, download a copy or erase the
          person.
        </p>
      ) : (
        <PersonFound held={find.data} contact={contact} onErased={() => find.mutate(contact)} />
      )}
    </Card>
  )
}
