import { dataErasedSchema, type DataErased, type DataHeld } from '#core/contract/leads/data-subject.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request, requestText } from '#web/api/client.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { saveFile } from '#web/components/save-file.ts'
import { countOf } from '#web/format/count-of.ts'

export interface PersonRequestDialogProps {
  act: 'export' | 'erase'
  contact: string
  held: DataHeld
  onClose: () => void
  onErased: () => void
}

/** Asks on whose request a copy is made, or a person erased. */
export function PersonRequestDialog({ act, contact, held, onClose, onErased }: PersonRequestDialogProps) {
  const reason = useReason('Say on whose request')
  const isErasure = act === 'erase'
  const change = useChange(
    async (): Promise<DataErased | null> => {
      const options = { method: 'POST', body: { contact, reason: reason.text } } as const
      const path = apiPath('admin', 'data-subjects', act)
      if (isErasure) return await request(path, dataErasedSchema, options)
      saveFile('person.json', await requestText(path, options))
      return null
    },
    {
      done: (erased) =>
        erased === null
          ? 'The copy was downloaded'
          : `${countOf(erased.leads, 'lead')} erased, ${countOf(erased.erased_files, 'file')} removed`,
      onDone: (erased) => {
        onClose()
        if (erased !== null) onErased()
      },
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={isErasure ? 'Erase this person everywhere?' : 'Download what is stored?'}
      description={
        isErasure
          ? `${countOf(held.lead_count, 'lead')} with all requests and answers, messages, imported rows, and files that may contain them are removed for good. Waiting deliveries are cancelled. The hash stays on the suppression list, so that the person is not sold again.`
          : 'A JSON file with every lead, who got it, its attempts and messages. The audit log notes the download.'
      }
      submit={isErasure ? 'Erase person' : 'Download'}
      danger={isErasure}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <ReasonField
        reason={reason}
        fault={change.faultOf('reason')}
        hint="For example: asked by letter. Only administrators see it, and it is kept for good. Write no name or address."
      />
    </ChangeDialog>
  )
}
