import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { signingSecretQuery } from '#web/webhooks/queries/webhook-configs.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'

/** Shown until the user asks to see the secret. */
const MASKED_SECRET = 'whsec_••••••••••••••••••••••••••••••••'

export interface SecretValueProps {
  configId: string
  /** Content below the secret once it is shown. */
  children?: (secret: { previous_expires_at: string | null }) => ReactNode
}

export function SecretValue({ configId, children }: SecretValueProps) {
  const query = useQuery(signingSecretQuery(configId))
  const [revealed, setRevealed] = useState(false)
  if (query.isError) {
    return (
      <div className="flex min-w-0 flex-col gap-4">
        <LoadFailure
          title="The signing secret could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
        {/* A secret that cannot be read is replaced by a rotation. */}
        {children?.({ previous_expires_at: null })}
      </div>
    )
  }
  const secret = query.data?.secret
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {secret === undefined ? (
          <Skeleton className="h-9 w-80 max-w-full" />
        ) : (
          <code className="flex min-h-9 min-w-0 items-center rounded-lg border border-line bg-sunken px-3 py-1 font-mono text-xs break-all">
            {revealed ? secret : MASKED_SECRET}
          </code>
        )}
        <Button
          disabled={secret === undefined}
          icon={revealed ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? 'Hide' : 'Reveal'}
        </Button>
        {secret !== undefined && <CopyButton value={secret} label="Copy secret" />}
      </div>
      {query.data !== undefined && children?.(query.data)}
    </div>
  )
}
