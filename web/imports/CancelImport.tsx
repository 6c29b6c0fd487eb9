import { useState } from 'react'
import { leadImportSchema } from '#core/contract/imports/lead-import.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useChange } from '../components/admin/use-change.ts'

export function CancelImport({ id, isRunning }: { id: string; isRunning: boolean }) {
  const [isAsked, setIsAsked] = useState(false)
  const cancel = useChange(
    () => request(apiPath('admin', 'imports', id, 'cancel'), leadImportSchema, { method: 'POST' }),
    { done: () => 'Import cancelled', onDone: () => setIsAsked(false) },
  )
  return (
    <>
      <Button size="sm" onClick={() => setIsAsked(true)}>
        Cancel import
      </Button>
      <AlertDialog
        open={isAsked}
        onOpenChange={setIsAsked}
        title="Cancel this import?"
        description={
          isRunning
            ? 'Rows that have become leads stay leads. The others are not imported, and are removed.'
            : 'Nothing of the file becomes a lead, and its rows are removed.'
        }
        confirmLabel="Cancel import"
        cancelLabel="Go on"
        busy={cancel.isBusy}
        onConfirm={() =>
          cancel.send(undefined, { onError: () => toast.error('The import could not be cancelled') })
        }
      />
    </>
  )
}
