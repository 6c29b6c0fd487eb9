import { useQuery } from '@tanstack/react-query'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { useDeleteWebhook } from '../queries/webhook-configs.ts'
import { describeLoss } from './describe-loss.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface DeleteWebhookDialogProps {
  open: boolean
  /** Stays set while the dialog closes, so that its text does not change during the animation. */
  target: WebhookConfig | null
  onClose: () => void
}

export function DeleteWebhookDialog({ open, target, onClose }: DeleteWebhookDialogProps) {
  const remove = useDeleteWebhook()
  const health = useQuery({ ...endpointHealthQuery, enabled: open })
  const one = health.data?.find(({ webhook_config_id }) => webhook_config_id === target?.id)
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Delete webhook"
      description={
        <>
          <span className="block">{`Are you sure you want to delete "${target?.webhook_name ?? ''}"?`}</span>
          <span className="mt-2 block">{describeLoss(one)}</span>
        </>
      }
      confirmLabel={remove.isPending ? 'Deleting...' : 'Delete'}
      busy={remove.isPending}
      onConfirm={() => {
        if (target === null) return
        remove.mutate(target.id, {
          onSuccess: () => toast.success('Webhook configuration deleted successfully'),
          onError: () => toast.error('Failed to delete webhook configuration'),
          onSettled: onClose,
        })
      }}
    />
  )
}
