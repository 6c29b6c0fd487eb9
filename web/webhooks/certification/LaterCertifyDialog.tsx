import { Suspense } from 'react'
import { lazyPart } from '#web/app/lazy-part.ts'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import type { CertifyDialogProps } from './CertifyDialog.tsx'

const CertifyDialog = lazyPart(
  'CertifyDialog',
  async () => (await import('./CertifyDialog.tsx')).CertifyDialog,
)

/** Loads the dialog when it is opened. */
export function LaterCertifyDialog({
  open,
  target,
  onClose,
}: Omit<CertifyDialogProps, 'target'> & { target: CertifyDialogProps['target'] | null }) {
  if (!open || target === null) return null
  return (
    <Suspense
      fallback={
        <Dialog open onOpenChange={onClose} title="Certify endpoint" size="lg" startAt="title">
          <div className="flex min-h-60 items-center justify-center">
            <Spinner label="Loading" />
          </div>
        </Dialog>
      }
    >
      <CertifyDialog key={target.id} open={open} target={target} onClose={onClose} />
    </Suspense>
  )
}
