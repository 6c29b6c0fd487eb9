import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { SigningKey } from '#core/contract/webhooks/webhook-config.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { signingSecretQuery } from '#web/webhooks/queries/webhook-configs.ts'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { SwitchField } from '../basics/SwitchField.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** A signature that a receiver checks without a secret: docs/product.md §3. */
export function AsymmetricSignature({ configId }: { configId: string | null }) {
  const isOn = useWatch<WebhookFormValues, 'sign_asymmetric'>({ name: 'sign_asymmetric' })
  return (
    <OptionGroup title="Public-key signature" summary={isOn ? 'Ed25519 beside HMAC' : 'Off'}>
      <div className="flex flex-col gap-4">
        <SwitchField
          name="sign_asymmetric"
          label="Also sign with Ed25519"
          hint="Adds a v1a signature to webhook-signature. Your receiver checks it with a public key and holds no secret."
        />
        {isOn && configId !== null && <PublicKeys configId={configId} />}
        {isOn && configId === null && (
          <p className="text-sm text-muted">The public key is shown here once the webhook is created.</p>
        )}
      </div>
    </OptionGroup>
  )
}

function PublicKeys({ configId }: { configId: string }) {
  const query = useQuery(signingSecretQuery(configId))
  if (query.isError)
    return (
      <LoadFailure
        title="The public key could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  if (query.data === undefined) return <Skeleton className="h-9 w-80 max-w-full" />
  const { public_keys: keys } = query.data
  if (keys.length === 0)
    return <p className="text-sm text-muted">The public key is shown here once you have pressed Update.</p>
  return (
    <ul aria-label="Public keys" className="flex flex-col gap-3">
      {keys.map((key) => (
        <PublicKey key={key.public_key} signingKey={key} />
      ))}
    </ul>
  )
}

function PublicKey({ signingKey: { public_key: key, ends_at: end } }: { signingKey: SigningKey }) {
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <code className="flex min-h-9 min-w-0 items-center rounded-lg border border-line bg-sunken px-3 py-1 font-mono text-xs break-all">
          {key}
        </code>
        <CopyButton value={key} label="Copy public key" />
      </div>
      {end !== null && (
        <p className="text-xs text-muted">
          Replaced. It also signs until <RelativeTime at={end} exact />.
        </p>
      )}
    </li>
  )
}
