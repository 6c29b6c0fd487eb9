import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminPerson } from '#core/contract/accounts/admin-people.ts'
import { errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { findPerson, personQuery } from '../admin-people-queries.ts'
import { namePerson } from '#web/components/name-person.ts'
import { PersonChange, type PersonAct } from './PersonChange.tsx'
import { PersonDetails } from './PersonDetails.tsx'

/** Finds any account by its address, to help somebody who cannot sign in. */
export function FindPerson() {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [act, setAct] = useState<PersonAct>()
  const find = useMutation({
    mutationFn: () => findPerson(email.trim()),
    onSuccess: (person) => queryClient.setQueryData(personQuery(person.user_id).queryKey, person),
  })
  const person: AdminPerson | undefined = find.data
  return (
    <div className="flex flex-col gap-6">
      <form
        noValidate
        role="search"
        aria-label="Find an account"
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (email.trim() !== '') find.mutate()
        }}
      >
        <Field
          label="Email"
          labelHidden
          error={find.error === null ? undefined : errorSentence(find.error)}
          className="w-full sm:w-80"
        >
          <TextInput
            type="search"
            placeholder="Email address of any account"
            autoComplete="off"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              find.reset()
            }}
          />
        </Field>
        <Button type="submit" busy={find.isPending}>
          Find
        </Button>
      </form>
      {person !== undefined && (
        <Card title={<span className="break-all">{namePerson(person)}</span>} className="max-w-2xl">
          <PersonDetails id={person.user_id} onAsk={setAct} />
        </Card>
      )}
      {person !== undefined && act !== undefined && (
        <PersonChange person={person} act={act} onClose={() => setAct(undefined)} />
      )}
    </div>
  )
}
