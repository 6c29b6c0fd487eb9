import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useState } from 'react'
import type { Order } from '#core/contract/market/order.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { leadTypesQuery } from '#web/api/lead-types.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { accountQuery } from '../money-queries.ts'
import { OrderEstimate } from './OrderEstimate.tsx'
import { IDLE } from './form-status.ts'

const fetchForm = () => import('./OrderForm.tsx')
/** A chunk of its own, which comes after the page, because most visits open no form. */
const OrderForm = lazyPart('OrderForm', async () => (await fetchForm()).OrderForm)

export interface OrderDialogProps {
  open: boolean
  /** The order to edit; null for a new one. */
  target: Order | null
  onClose: () => void
}

export function OrderDialog({ open, target, onClose }: OrderDialogProps) {
  const formId = useId()
  useEffect(() => {
    // A failure is ignored: opening the dialog tries again.
    fetchPart(fetchForm).catch(() => undefined)
  }, [])
  const [status, setStatus] = useState(IDLE)
  const types = useQuery(leadTypesQuery)
  const account = useQuery(accountQuery)
  const failed = [types, account].find(({ isError }) => isError)
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
          <OrderEstimate status={status} className="mr-auto basis-full sm:basis-auto" />
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" form={formId} variant="primary" busy={status.saving} disabled={!status.ready}>
            {status.saving ? 'Saving...' : action}
          </Button>
        </>
      }
    >
      {types.data !== undefined && account.data !== undefined ? (
        <Suspense fallback={<ComingForm />}>
          <OrderForm
            key={target?.id ?? 'new'}
            formId={formId}
            target={target}
            types={types.data}
            account={account.data}
            startsActive={false}
            onStatus={setStatus}
            onSaved={onClose}
          />
        </Suspense>
      ) : failed !== undefined ? (
        <LoadFailure
          title="The lead types could not be loaded."
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      ) : (
        <ComingForm />
      )}
    </Dialog>
  )
}

function ComingForm() {
  return (
    <div className="flex min-h-96 items-center justify-center">
      <Spinner label="Loading the form" />
    </div>
  )
}
