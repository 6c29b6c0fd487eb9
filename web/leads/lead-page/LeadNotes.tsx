import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type SubmitEvent } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { changeLead, leadQuery } from '../one-lead-queries.ts'
import { errorSentence } from '../../api/errors.ts'
import { Button } from '../../ui/action/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { TextArea } from '../../ui/form/TextArea.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Card } from '../../ui/show/Card.tsx'
import { useAskBeforeUnload } from '../../ui/use-ask-before-unload.ts'

/** The client's notes on a lead. */
export function LeadNotes({ lead }: { lead: LeadDetail }) {
  const queryClient = useQueryClient()
  const [notes, setNotes] = useState(lead.notes ?? '')
  const save = useMutation({
    mutationFn: () => changeLead(lead.id, { notes: notes.trim() === '' ? null : notes }),
    onSuccess: (saved) => {
      queryClient.setQueryData(leadQuery(lead.id).queryKey, saved)
      toast.success('Notes saved')
    },
    onError: (error) => toast.error(`The notes were not saved. ${errorSentence(error)}`),
  })
  // Nobody can write notes on a lead that is unassigned or returned.
  const isClosed = lead.disposition === null || lead.returnable === null
  const isUnsaved = !isClosed && notes !== (lead.notes ?? '')
  // Going to another lead saves the notes; closing the page asks first.
  const saveUnsaved = useEffectEvent(() => {
    if (isUnsaved && !save.isPending) save.mutate()
  })
  useEffect(() => () => saveUnsaved(), [])
  useAskBeforeUnload(isUnsaved)
  if (isClosed) return null
  return (
    <Card title="Notes">
      <form
        className="flex flex-col items-stretch gap-3"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field label="Notes" labelHidden>
          <TextArea value={notes} maxLength={5000} onChange={(event) => setNotes(event.target.value)} />
        </Field>
        <Button type="submit" className="self-start" busy={save.isPending} disabled={!isUnsaved}>
          Save notes
        </Button>
      </form>
    </Card>
  )
}
