import { useState } from 'react'
import { z } from 'zod'
import {
  createdSourceKeySchema,
  MOST_SOURCE_KEYS,
  type Source,
  type SourceKey,
} from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { KeyList } from './KeyList.tsx'

/** Manages the API keys of a source: add one, let the sender change over, revoke the old one. */
export function KeysDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [added, setAdded] = useState<string>()
  const [revoked, setRevoked] = useState<SourceKey>()
  const keys = useIdempotencyKeys()
  const add = useChange(
    () =>
      request(apiPath('admin', 'sources', source.id, 'keys'), createdSourceKeySchema, {
        method: 'POST',
        idempotencyKey: keys.keyOf(source.id),
      }),
    {
      onDone: ({ api_key: key }) => {
        keys.settle(source.id)
        setAdded(key)
      },
    },
  )
  const revoke = useChange(
    ({ id }: SourceKey) => request(apiPath('admin', 'source-keys', id), z.undefined(), { method: 'DELETE' }),
    { done: () => 'Key revoked', onDone: () => setRevoked(undefined) },
  )
  const isFull = source.keys.filter((key) => key.revoked_at === null).length >= MOST_SOURCE_KEYS
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) onClose()
        }}
        title={`Keys of ${source.name}`}
        outsideDismisses={added === undefined}
        description="The source may post with any of its keys. A lead that it posted with one key is a duplicate with every other."
        footer={
          <>
            <Button
              variant="primary"
              className="mr-auto"
              busy={add.isBusy}
              disabled={isFull}
              onClick={() => add.send(undefined)}
            >
              Add key
            </Button>
            <DialogClose>Close</DialogClose>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {add.failure !== undefined && (
            <Banner tone="failure" urgent>
              {add.failure}
            </Banner>
          )}
          {added !== undefined && (
            <div className="flex flex-col gap-2">
              <CodeBlock label="API key" code={added} />
              <p className="text-xs text-muted">
                It is shown only once. Send it over a channel that you trust, and revoke the old key once the
                source uses the new one.
              </p>
            </div>
          )}
          <KeyList keys={source.keys} onRevoke={setRevoked} />
          {isFull && (
            <p className="text-xs text-muted">
              {`A source has at most ${MOST_SOURCE_KEYS} keys at one time. Revoke one to add another.`}
            </p>
          )}
        </div>
      </Dialog>
      <AlertDialog
        open={revoked !== undefined}
        onOpenChange={(open) => {
          if (!open) setRevoked(undefined)
        }}
        title={`Revoke the key ${revoked?.api_key_prefix ?? ''}…?`}
        description="Leads posted with this key are refused from now on. The key cannot be restored. Earlier leads are not affected, and the other keys stay valid."
        confirmLabel="Revoke key"
        busy={revoke.isBusy}
        onConfirm={() => {
          if (revoked !== undefined)
            revoke.send(revoked, { onError: () => toast.error('The key could not be revoked') })
        }}
      />
    </>
  )
}
