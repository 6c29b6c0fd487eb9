import type { Order } from '#core/contract/market/order.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useDeleteOrder } from './order-queries.ts'

export interface DeleteOrderDialogProps {
  open: boolean
  /** Stays set while the dialog closes, so that its text does not change during the animation. */
  target: Order | null
  onClose: () => void
}

export function DeleteOrderDialog({ open, target, onClose }: DeleteOrderDialogProps) {
  const remove = useDeleteOrder()
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Delete order"
      description={`Are you sure you want to delete "${target?.name ?? ''}"? It takes no more leads. Those that it has bought stay yours.`}
      confirmLabel={remove.isPending ? 'Deleting...' : 'Delete'}
      busy={remove.isPending}
      onConfirm={() => {
        if (target === null) return
        remove.mutate(target.id, {
          onSuccess: () => toast.success('Order deleted'),
          onError: () => toast.error('Failed to delete the order'),
          onSettled: onClose,
        })
      }}
    />
  )
}
