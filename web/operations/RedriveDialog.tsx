import { DEAD_LETTERS_COUNTED, type RedriveResult } from '#core/contract/operations/dead-letter.ts'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { countOf, formatCount } from '../format/count-of.ts'
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'

export interface RedriveDialogProps {
  counted: RedriveResult | undefined
  /** True if the dead letters were selected by hand; by filter only a limited number is sent at a time. */
  isByHand: boolean
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows how many dead letters a redrive would send, and asks before it sends any. */
export function RedriveDialog({ counted, isByHand, busy, onConfirm, onCancel }: RedriveDialogProps) {
  const { count, switched_off: off } = counted ?? { count: 0, switched_off: 0 }
  const isCapped = !isByHand && count + off >= DEAD_LETTERS_COUNTED
  const isTooMany = !isByHand && count > RESEND_LIMIT
  const left =
    off === 0 ? '' : ` ${formatCount(off, isCapped)} more can only go when their webhook is switched on.`
  const limit = isTooMany
    ? ` ${countOf(count, 'delivery', isCapped)} wait. Ten thousand go at a time; repeat it for the rest.`
    : ''
  const text =
    count === 0
      ? `Nothing can be sent again now.${left}`
      : `Each goes to its endpoint as a new delivery of the same event, so a receiver that has it already can tell.${limit}${left}`
  const sent = isTooMany ? RESEND_LIMIT : count
  return (
    <AlertDialog
      open={counted !== undefined}
      onOpenChange={(open) => {
        if (!open) onCancel()
      }}
      title={count === 0 ? 'Nothing to send' : `Send ${countOf(sent, 'delivery')} again?`}
      description={text}
      confirmLabel={count === 0 ? 'OK' : 'Send again'}
      tone="primary"
      busy={busy}
      asks={count > 0}
      onConfirm={count === 0 ? onCancel : onConfirm}
    />
  )
}
