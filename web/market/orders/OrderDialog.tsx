import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Order } from '#core/contract/market/order.ts'
import { leadTypesQuery } from '#web/api/lead-types.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { IDLE, OrderForm } from './OrderForm.tsx'

export interface OrderDialogProps {
  open: boolean
  /** The order to edit; null for a new one. */
  target: Order | null
  onClose: () => void
}

export function OrderDialog({ open, target, onClose }: OrderDialogProps) {
  const formId = useId()
  const [status, setStatus] = useState(IDLE)
  const types = useQuery(leadTypesQuery)
  const action = target === null ? 'Create order' : 'Save changes'
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title={target === null ? 'New order' : 'Edit order'}
      size="lg"
      dirty={open && status.dirty}
      footer={
        <>
          <p role="status" className="mr-auto min-w-0 basis-full text-sm text-muted tabular sm:basis-auto">
            {status.estimate}
          </p>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" form={formId} variant="primary" busy={status.saving} disabled={!status.ready}>
            {status.saving ? 'Saving...' : action}
          </Button>
        </>
      }
    >
      {types.data !== undefined ? (
        <OrderForm
          key={target?.id ?? 'new'}
          formId={formId}
          target={target}
          types={types.data}
          onStatus={setStatus}
          onSaved={onClose}
        />
      ) : types.isError ? (
        <LoadFailure
          title="The lead types could not be loaded."
          error={types.error}
          onRetry={() => void types.refetch()}
        />
      ) : (
        <div className="flex min-h-96 items-center justify-center">
          <Spinner label="Loading the lead types" />
        </div>
      )}
    </Dialog>
  )
}
