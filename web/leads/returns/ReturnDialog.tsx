import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import {
  NOTED_REASONS,
  RETURN_REASONS,
  returnRequestSchema,
  SHORTEST_NOTE,
  type ReturnReason,
} from '#core/contract/market/lead-return.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { requestReturn } from './return-queries.ts'
import { EvidenceField } from './evidence/EvidenceField.tsx'
import { useEvidence } from './evidence/use-evidence.ts'
import { ApiError, errorSentence } from '../../api/errors.ts'
import { Button } from '../../ui/action/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { TextArea } from '../../ui/form/TextArea.tsx'
import { Dialog, DialogClose } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { exactTime } from '../../ui/show/format-time.ts'

const listReasons = (duplicateDays: number | null) => [
  { value: '' as ReturnReason | '', label: 'Choose a reason' },
  ...RETURN_REASONS.map((reason) => ({ value: reason, label: labelReturnReason(reason, duplicateDays) })),
]

export interface ReturnDialogProps {
  lead: LeadDetail
  until: string
  open: boolean
  onClose: () => void
}

export function ReturnDialog({ lead, until, open, onClose }: ReturnDialogProps) {
  const queryClient = useQueryClient()
  const formId = useId()
  const [reason, setReason] = useState<ReturnReason | ''>('')
  const [note, setNote] = useState('')
  const [faults, setFaults] = useState<{ reason?: string; note?: string; evidence?: string }>({})
  const [asked, setAsked] = useState(0)
  const evidence = useEvidence(lead.id)
  const isNoted = reason !== '' && NOTED_REASONS.includes(reason)
  const send = useMutation({
    mutationFn: (body: Parameters<typeof requestReturn>[1]) => requestReturn(lead.id, body),
    onSuccess: () => {
      onClose()
      toast.success('Return requested')
    },
    onError: (error) => {
      const said =
        error instanceof ApiError ? error.errors.find(({ path }) => path === 'evidence') : undefined
      if (said === undefined) toast.error(errorSentence(error))
      else setFaults({ evidence: said.message })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAsked((count) => count + 1)
    const read = returnRequestSchema.safeParse({ reason, note, evidence: evidence.ids })
    if (read.success) {
      const waits = describeUnsent(evidence)
      setFaults({ ...(waits !== undefined && { evidence: waits }) })
      if (waits === undefined) send.mutate(read.data)
    } else {
      const isReason = read.error.issues.some(({ path }) => path[0] === 'reason')
      const said = read.error.issues.find(({ path }) => path[0] === 'note')?.message
      setFaults({ ...(isReason && { reason: 'Choose a reason' }), ...(said !== undefined && { note: said }) })
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Request return"
      description={`Until ${exactTime(until)}, once for each lead. Reviewed within 2 business days.`}
      dirty={
        !send.isPending && (reason !== '' || note !== '' || evidence.uploads.length > 0) && !send.isSuccess
      }
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <Button variant="primary" type="submit" form={formId} busy={send.isPending}>
            Request return
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={submit}
        onPaste={(event) => {
          const { files } = event.clipboardData
          if (files.length === 0) return
          event.preventDefault()
          evidence.add([...files])
        }}
        className="flex flex-col gap-4"
      >
        <Field label="Reason" required error={faults.reason}>
          <Select
            value={reason}
            onValueChange={setReason}
            options={listReasons(lead.returnable?.duplicate_days ?? null)}
          />
        </Field>
        <Field
          label="Note"
          required={isNoted}
          error={faults.note}
          hint={isNoted ? `What happened, in at least ${SHORTEST_NOTE} characters.` : 'What helps to decide.'}
        >
          <TextArea value={note} maxLength={1000} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <EvidenceField evidence={evidence} error={faults.evidence} asked={asked} />
        <p className="text-sm text-muted">
          Not accepted: no answer or voicemail, not interested, already bought, price, or the same person
          bought elsewhere. When a return is approved,{' '}
          {lead.late.some(({ credit }) => credit === 'credited')
            ? 'only what is left of the price after the late credit goes back to your balance'
            : 'the price goes back to your balance'}{' '}
          and you may not contact the person any more.
        </p>
      </form>
    </Dialog>
  )
}

/** Why the return cannot be requested yet; undefined if every chosen file was uploaded or refused. */
function describeUnsent({ isSending, hasFailed }: ReturnType<typeof useEvidence>): string | undefined {
  if (isSending) return 'Wait until the files are uploaded, or remove them.'
  return hasFailed ? 'Try the files that were not uploaded again, or remove them.' : undefined
}
