import { useQuery } from '@tanstack/react-query'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useCancelWaiting, waitingCountQuery } from '../queries/mend-deliveries.ts'
import { countOf } from '#web/format/count-of.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface CancelWaitingDialogProps {
  config: WebhookConfig
  open: boolean
  onClose: () => void
}

export function CancelWaitingDialog({ config, open, onClose }: CancelWaitingDialogProps) {
  const waiting = useQuery({ ...waitingCountQuery(config.id), enabled: open })
  const cancel = useCancelWaiting()
  const count = waiting.data?.count
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Cancel everything that waits?"
      description={describe(count, waiting.isError)}
      confirmLabel={
        count === 0
          ? 'Close'
          : count === undefined
            ? 'Cancel deliveries'
            : `Cancel ${countOf(count, 'delivery')}`
      }
      tone={count === 0 ? 'primary' : 'danger'}
      cancelLabel="Keep them"
      busy={cancel.isPending || (count === undefined && !waiting.isError)}
      onConfirm={() => {
        if (count === 0) onClose()
        else
          cancel.mutate(config.id, {
            onSuccess: (answer) => toast.success(`Cancelled ${countOf(answer.count, 'delivery')}.`),
            onError: (error) => toast.error(errorSentence(error)),
            onSettled: onClose,
          })
      }}
    />
  )
}

function describe(count: number | undefined, isError: boolean) {
  if (isError) return 'The count could not be loaded. You can still cancel: everything that waits is stopped.'
  if (count === undefined) return 'Counting what waits…'
  if (count === 0) return 'Nothing waits to be sent.'
  return `${countOf(count, 'delivery')} ${count === 1 ? 'waits' : 'wait'} for a first attempt or a retry, and ${count === 1 ? 'is' : 'are'} not sent any more. A request that is under way is finished and logged. You can resend each lead later.`
}
