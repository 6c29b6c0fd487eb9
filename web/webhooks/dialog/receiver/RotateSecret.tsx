import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { errorSentence } from '#web/api/errors.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { useEndSecretOverlap, useRotateSecret } from '#web/webhooks/queries/webhook-configs.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface RotateSecretProps {
  configId: string
  /** Time until which the replaced secret still signs; null without one. */
  previousExpiresAt: string | null
}

const ROTATION = 'rotation'

type Question = 'rotate' | 'end' | null

/** Rotates the secret without an outage: both sign while the receiver changes over. */
export function RotateSecret({ configId, previousExpiresAt }: RotateSecretProps) {
  const [question, setQuestion] = useState<Question>(null)
  // Without a key, a repeated rotation would end the overlap of the secret still in use.
  const keys = useIdempotencyKeys()
  const rotation = useRotateSecret(configId)
  const ending = useEndSecretOverlap(configId)
  const close = () => setQuestion(null)
  const after = (done: string) => ({
    onSuccess: () => {
      keys.settle(ROTATION)
      close()
      toast.success(done)
    },
    onError: (error: unknown) => {
      toast.error(errorSentence(error))
    },
  })
  return (
    <div className="flex flex-col gap-3">
      {previousExpiresAt !== null && (
        <Banner
          tone="waiting"
          title="Two secrets sign at the moment"
          action={
            <Button size="sm" onClick={() => setQuestion('end')}>
              End now
            </Button>
          }
        >
          The secret before this one signs too until <RelativeTime at={previousExpiresAt} exact />. Give your
          receiver the new one before then.
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => setQuestion('rotate')}>
          Rotate secret
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-xs text-muted">
          Makes a new secret. Requests carry both signatures for 24 hours.
        </p>
      </div>
      <AlertDialog
        open={question === 'rotate'}
        onOpenChange={(open) => !open && close()}
        title="Rotate the signing secret?"
        description={
          previousExpiresAt === null
            ? 'A new secret signs at once. The one you have now goes on signing beside it for 24 hours, so that you can change your receiver in that time.'
            : 'A new secret signs at once. The one you have now goes on signing beside it for 24 hours; the one before that stops at once.'
        }
        confirmLabel={rotation.isPending ? 'Rotating...' : 'Rotate'}
        tone="primary"
        busy={rotation.isPending}
        onConfirm={() => rotation.mutate(keys.keyOf(ROTATION), after('Signing secret rotated'))}
      />
      <AlertDialog
        open={question === 'end'}
        onOpenChange={(open) => !open && close()}
        title="Stop signing with the old secret?"
        description="A receiver that still checks with the old secret will refuse every lead from now on. Nothing is lost: refused leads are tried again."
        confirmLabel={ending.isPending ? 'Ending...' : 'End now'}
        busy={ending.isPending}
        onConfirm={() => ending.mutate(undefined, after('The old secret no longer signs'))}
      />
    </div>
  )
}
