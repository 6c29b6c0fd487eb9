import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { clientNoteSchema, type ClientNote } from '#core/contract/market/client-page.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { clientNotesQuery } from '../../../admin-client-queries.ts'
import { namePerson } from '#web/components/name-person.ts'

/** Shows what administrators keep in mind about the client; the client never sees it. */
export function ClientNotes({ client }: { client: AdminClientDetail }) {
  const mayWrite = useMay('clients')
  const notes = useInfiniteQuery(clientNotesQuery(client.user_id))
  return (
    <div className="flex flex-col gap-6">
      {mayWrite && client.status !== 'erased' && <NewNote client={client.user_id} />}
      <PagedCard
        title="Notes"
        failure="The notes could not be loaded."
        query={notes}
        empty={<p className="p-4 text-sm text-muted">No notes yet.</p>}
      >
        {(items) => (
          <ul aria-label="Notes" className="divide-y divide-line">
            {items.map((note) => (
              <Note key={note.id} note={note} />
            ))}
          </ul>
        )}
      </PagedCard>
    </div>
  )
}

function NewNote({ client }: { client: string }) {
  const [text, setText] = useState('')
  // If an answer is lost, the next try does not keep the note twice.
  const keys = useIdempotencyKeys()
  const change = useChange(
    () =>
      request(apiPath('admin', 'clients', client, 'notes'), clientNoteSchema, {
        method: 'POST',
        body: { text },
        idempotencyKey: keys.keyOf(text),
      }),
    { done: () => 'The note is kept', onDone: () => setText('') },
  )
  return (
    <Card title="New note">
      <form
        noValidate
        className="flex flex-col items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!change.isBusy) change.send(undefined)
        }}
      >
        {change.failure !== undefined && (
          <Banner tone="failure" urgent>
            {change.failure}
          </Banner>
        )}
        <div className="w-full max-w-prose">
          <Field
            label="Note"
            required
            hint="Only administrators see it. It cannot be changed later."
            error={change.faultOf('text')}
          >
            <TextArea
              rows={3}
              maxLength={2000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" busy={change.isBusy}>
          Add note
        </Button>
      </form>
    </Card>
  )
}

function Note({ note: { text, author, created_at: at } }: { note: ClientNote }) {
  return (
    <li className="px-4 py-3">
      <p className="max-w-prose text-sm break-words whitespace-pre-wrap">{text}</p>
      <p className="mt-1 text-xs text-muted">
        {author === null ? 'A former administrator' : namePerson(author)} · <RelativeTime at={at} />
      </p>
    </li>
  )
}
