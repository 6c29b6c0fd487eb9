import { DEAD_LETTERS_COUNTED, type RedriveResult } from '#core/contract/operations/dead-letter.ts'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { ChangeDialog } from '../components/admin/ChangeDialog.tsx'
import { ReasonField } from '../components/admin/ReasonField.tsx'
import { useReason } from '../components/admin/use-reason.ts'
import { countOf, formatCount } from '../format/count-of.ts'
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'

export interface RedriveDialogProps {
  counted: RedriveResult | undefined
  /** True if the dead letters were selected by hand; by filter only a limited number is sent at a time. */
  isByHand: boolean
  busy: boolean
  onConfirm: (reason: string) => void
  onCancel: () => void
}

/** Shows how many dead letters a redrive would send, and asks for the reason before it sends any. */
export function RedriveDialog(props: RedriveDialogProps) {
  const { counted } = props
  if (counted === undefined) return null
  return <OpenDialog {...props} counted={counted} />
}

function OpenDialog(props: RedriveDialogProps & { counted: RedriveResult }) {
  const { counted, isByHand, busy, onConfirm, onCancel } = props
  const reason = useReason()
  const { count, switched_off: off } = counted
  const isCapped = !isByHand && count + off >= DEAD_LETTERS_COUNTED
  const isTooMany = !isByHand && count > RESEND_LIMIT
  const left =
    off === 0 ? '' : ` ${formatCount(off, isCapped)} more can only go when their webhook is switched on.`
  if (count === 0) {
    return (
      <AlertDialog
        open
        onOpenChange={(open) => {
          if (!open) onCancel()
        }}
        title="Nothing to send"
        description={`Nothing can be sent again now.${left}`}
        confirmLabel="OK"
        tone="primary"
        asks={false}
        onConfirm={onCancel}
      />
    )
  }
  const limit = isTooMany
    ? ` ${countOf(count, 'delivery', isCapped)} wait. Ten thousand go at a time; repeat it for the rest.`
    : ''
  return (
    <ChangeDialog
      open
      onClose={onCancel}
      title={`Send ${countOf(isTooMany ? RESEND_LIMIT : count, 'delivery')} again?`}
      description={`Each goes to its endpoint as a new delivery of the same event, so a receiver that has it already can tell.${limit}${left}`}
      submit="Send again"
      dirty={reason.text !== ''}
      isBusy={busy}
      onSubmit={() => reason.askFor(() => onConfirm(reason.text))}
    >
      <ReasonField reason={reason} fault={undefined} />
    </ChangeDialog>
  )
}
