import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { MemberField } from '#web/components/MemberField.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { giveLead, leadQuery } from '../one-lead-queries.ts'

/** Gives a lead to a person of the account, or back to everybody. */
export function GiveDialog({ lead, onClose }: { lead: LeadDetail; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [member, setMember] = useState(lead.member_user_id)
  const [note, setNote] = useState('')
  const isSame = member === lead.member_user_id
  const change = useChange(() => giveLead(lead.id, { member_user_id: member, note }), {
    done: () => (member === null ? 'The lead is shared again' : 'The lead is given'),
    onDone: (given) => {
      queryClient.setQueryData(leadQuery(lead.id).queryKey, given)
      onClose()
    },
    lists: ['leads'],
  })
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Give this lead to a person"
      description="The lead’s timeline says so, and the person’s own endpoints get the lead."
      submit="Give"
      dirty={!isSame || note !== ''}
      canSubmit={!isSame}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <MemberField
        label="Person"
        value={member}
        onValueChange={setMember}
        error={change.faultOf('member_user_id')}
      />
      <Field label="Note" hint="Optional. Do not name the lead." error={change.faultOf('note')}>
        <TextArea
          value={note}
          maxLength={500}
          rows={2}
          onChange={(event) => {
            setNote(event.target.value)
            change.reset()
          }}
        />
      </Field>
    </ChangeDialog>
  )
}
